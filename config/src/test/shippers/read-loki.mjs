// Pushes lines to Loki's API and reads them again by an unmodified client; its answers are a line of JSON.
//
//   node read-loki.mjs http://127.0.0.1:3100
import { GrafanaApi } from '@myunisoft/loki';

const { Loki } = new GrafanaApi({ remoteApiURL: process.argv[2] });

const now = BigInt(Date.now()) * 1_000_000n;
const values = [1n, 2n, 3n].map((n) => [String(now + n * 1_000n), `level=info took=${n}ms "hello" ${n}`]);
await Loki.push([{ stream: { app: 'read', env: 'trial' }, values }]);

const range = { start: '5m' };
const answers = {
  logs: (await Loki.queryRange('{app="read"} |= `hello`', range)).logs,
  parsed: (await Loki.queryRange('{app="read"}', { ...range, pattern: 'level=<level> took=<took> <_>' })).logs,
  streams: (await Loki.queryRangeStream('{app="read"} | logfmt | took > 2ms', range)).streams,
  counts: (await Loki.queryRangeMatrix('sum by (env) (count_over_time({app="read"}[5m]))', { ...range, step: '1m' })).metrics,
  labels: await Loki.labels(),
  values: await Loki.labelValues('app'),
  series: await Loki.series('{app="read"}'),
};
console.log(JSON.stringify(answers));
