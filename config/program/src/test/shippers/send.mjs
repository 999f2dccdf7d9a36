// Sends numbered messages by unmodified clients, as their users set them up.
//
//   node send.mjs '{"count":200,"first":100,"gapMillis":5,"run":"plain","clients":{"pino-loki":"http://127.0.0.1:3100"}}'
//
// Each client sends the first messages, waits for a line on standard input, and sends the rest. "NAME done" or
// "NAME failed: WHY" on standard output says that a client has nothing left to send. Its messages are "hello event
// 000001" and so on, under the name "NAME-RUN" where the client lets its user choose one.
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

const { count, first, gapMillis, run, clients } = JSON.parse(process.argv[2]);

// Some clients throw where nothing catches it, and all of them share this process.
process.on('uncaughtException', (error) => console.log(`thrown: ${error.stack}`));

const signals = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const more = signals.next();
const over = more.then(() => signals.next()); // what happens meanwhile, while a program would go on

async function* messages() {
  for (let number = 1; number <= count; number++) {
    if (number === first + 1) await more;
    yield { number, text: `hello event ${String(number).padStart(6, '0')}` };
    await pause(gapMillis);
  }
  console.log('made');
}

async function* documents() {
  for await (const { number, text } of messages()) {
    yield { '@timestamp': new Date().toISOString(), message: text, number, tags: ['a', 'ü'] };
  }
}

// Until a condition holds; the trial itself ends a client that never gets so far.
async function until(condition) {
  while (!condition()) await pause(20);
}

const drained = (stream) => new Promise((resolve) => stream.once('close', resolve).end());

// With fewer requests at once, its timer and its loop may both wait for a place, and it forgets what one of them holds.
async function elasticsearch(url, name, options) {
  const { Client } = await import('@elastic/elasticsearch');
  const client = new Client({ node: url, ...options });
  const result = await client.helpers.bulk({
    datasource: documents(),
    onDocument: () => ({ create: { _index: name } }),
    flushBytes: 2_000,
    flushInterval: 100,
    concurrency: count,
    wait: 1_000,
  });
  if (result.failed > 0) throw new Error(`${result.failed} failed`);
}

// By default it gives up after ten seconds, which a machine under load is away for. Five repeats are its limit then.
async function openTelemetry(url, name, exporterModule, options) {
  const { LoggerProvider, BatchLogRecordProcessor } = await import('@opentelemetry/sdk-logs');
  const { resourceFromAttributes } = await import('@opentelemetry/resources');
  const { OTLPLogExporter } = await import(exporterModule);
  const patience = { timeoutMillis: 60_000 };
  const exporter = new OTLPLogExporter({ url: `${url}/v1/logs`, ...patience, ...options });
  const provider = new LoggerProvider({
    resource: resourceFromAttributes({ 'service.name': name }),
    processors: [
      new BatchLogRecordProcessor({
        exporter,
        scheduledDelayMillis: 100,
        exportTimeoutMillis: 60_000,
        maxQueueSize: 100_000,
      }),
    ],
  });
  const logger = provider.getLogger('trial', '1.0');
  for await (const { number, text } of messages()) {
    logger.emit({
      severityNumber: 9,
      severityText: 'INFO',
      body: text,
      attributes: { number, nested: { list: [1, 'ü'] } },
    });
  }
  await provider.shutdown();
}

const senders = {
  async 'winston-http'(url, name) {
    const { default: winston } = await import('winston');
    const { hostname, port } = new URL(url);
    const transport = new winston.transports.Http({
      host: hostname,
      port: Number(port),
      path: `/api/v1/events?default_type=${name}&time_field=timestamp`,
      batch: true,
      batchInterval: 100,
      batchCount: 20,
      format: winston.format.combine(winston.format.timestamp(), winston.format.json()),
    });
    transport.on('error', () => {}).on('warn', () => {});
    const logger = winston.createLogger({ transports: [transport] });
    for await (const { number, text } of messages()) logger.info(text, { number });
    await pause(1_000); // it does not say when it has sent the last batch
  },

  'elasticsearch-js': (url, name) => elasticsearch(url, name, { maxRetries: 30 }),

  'elasticsearch-js-gzip': (url, name) => elasticsearch(url, name, { maxRetries: 30, compression: true }),

  async 'pino-elasticsearch'(url, name) {
    const { default: pino } = await import('pino');
    const { default: pinoElastic } = await import('pino-elasticsearch');
    const stream = pinoElastic({ index: name, node: url, flushBytes: 2_000, flushInterval: 100 });
    const ended = new Promise((resolve, reject) => {
      stream.on('insert', resolve).on('error', reject).on('insertError', reject);
    });
    ended.catch(() => {});
    const logger = pino(stream);
    for await (const { number, text } of messages()) logger.info({ number }, text);
    stream.end();
    await ended;
  },

  async 'winston-elasticsearch'(url, name) {
    const { default: winston } = await import('winston');
    const { ElasticsearchTransport } = await import('winston-elasticsearch');
    const transport = new ElasticsearchTransport({
      index: name,
      clientOpts: { node: url },
      flushInterval: 100,
      internalLogger() {},
    });
    transport.on('error', () => {}).on('warning', () => {});
    // Its own flush() does not wait for a request under way, whose documents return to the buffer if it fails.
    const { bulkWriter } = transport;
    const write = bulkWriter.write.bind(bulkWriter);
    let writing = 0;
    bulkWriter.write = (body) => {
      writing++;
      return write(body).finally(() => writing--);
    };
    const logger = winston.createLogger({ transports: [transport] });
    for await (const { number, text } of messages()) logger.info(text, { number });
    await until(() => bulkWriter.bulk.length === 0 && writing === 0);
  },

  async 'pino-loki'(url, name) {
    const { default: pino } = await import('pino');
    const { default: pinoLoki } = await import('pino-loki');
    const stream = pinoLoki({ host: url, labels: { app: name }, batching: { interval: 0.1 } });
    const logger = pino(stream);
    for await (const { number, text } of messages()) logger.info({ number }, text);
    await drained(stream);
  },

  async 'winston-loki'(url, name) {
    const { default: winston } = await import('winston');
    const { default: LokiTransport } = await import('winston-loki');
    const transport = new LokiTransport({
      host: url,
      labels: { app: name },
      interval: 0.1,
      replaceTimestamp: false,
      onConnectionError() {},
    });
    const logger = winston.createLogger({ transports: [transport] });
    for await (const { number, text } of messages()) logger.info(text, { number });
    await over; // it waits for a minute after a failure, and would push at once here
    await transport.batcher.close(); // as it does itself when a program ends
  },

  'opentelemetry-js-http': (url, name) =>
    openTelemetry(url, name, '@opentelemetry/exporter-logs-otlp-http', {}),

  'opentelemetry-js-proto': (url, name) =>
    openTelemetry(url, name, '@opentelemetry/exporter-logs-otlp-proto', { compression: 'gzip' }),

  async 'winston-syslog'(url, name) {
    const { default: winston } = await import('winston');
    const { Syslog } = await import('winston-syslog');
    const { hostname, port } = new URL(url);
    const transport = new Syslog({
      host: hostname,
      port: Number(port),
      protocol: 'tcp4',
      type: '5424',
      app_name: name,
      localhost: 'host1',
    });
    transport.on('error', () => {});
    const logger = winston.createLogger({ transports: [transport] });
    for await (const { number, text } of messages()) logger.info(text, { number });
    const closed = new Promise((resolve) => transport.once('closed', resolve));
    transport.close();
    await closed;
  },
};

await Promise.all(
  Object.entries(clients).map(async ([client, url]) => {
    try {
      await senders[client](url, `${client}-${run}`);
      console.log(`${client} done`);
    } catch (error) {
      console.log(`${client} failed: ${error.message.replaceAll('\n', ' ')}`);
    }
  }),
);
process.exit(0);
