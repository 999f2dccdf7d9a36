// Pushes lines to Loki's API and reads them again by an unmodified client; its answers are a line of JSON.
//
//   node read-loki.mjs http://127.0.0.1:3100
import { GrafanaApi } from '@myunisoft/loki';

const { Loki } = new GrafanaApi({ remoteApiURL: process.argv[2] });

// Samples are of whole seconds: the last one has to be behind the lines.
const now = BigInt(Date.now() - 2_000) * 1_000_000n;
const values = [1n, 2n, 3n].map((n) => [String(now + n * 1_000n), `level=info took=${n}ms "hello" ${n}`]);
await Loki.push([{ stream: { app: 'read', env: 'trial' }, values }]);

const range = { start: '5m' };
const answers = {
  logs: (await Loki.queryRange('{app="read"} |= `hello`', range)).logs,
  streams: (await Loki.queryRangeStream('{app="read"} | logfmt | took > 2ms', range)).streams,
  counts: (await Loki.queryRangeMatrix('sum by (env) (count_over_time({app="read"}[5m]))', { ...range, step: '1s' })).metrics,
  labels: await Loki.labels(),
  values: await Loki.labelValues('app'),
  series: await Loki.series('{app="read"}'),
};
console.log(JSON.stringify(answers));
