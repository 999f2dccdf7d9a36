import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ago } from '../../main/web/model/format.js';
import { parseMetrics } from '../../main/web/model/system/metrics.js';
import { byReason } from '../../main/web/model/system/rejects.js';
import { describeStore } from '../../main/web/model/system/store.js';

const storeOf = (text) => describeStore(parseMetrics(text)).map(({ name, text: value }) => `${name}: ${value}`);

test('a store of one machine tells its bytes', () => {
  assert.deepEqual(storeOf('hourglass_store_disk_bytes 1048576.0\nhourglass_store_open_bytes 2048.0\nhourglass_store_log_bytes 512.0\n'), [
    'On disk: 1 MiB', 'of that the commit log: 512 B', 'In memory, on their way: 2 KiB',
  ]);
});

test('a cluster tells its nodes and what waits', () => {
  const text = ['up 2', 'down 1', 'unknown 0'].map((s) => s.split(' ')).map(([state, n]) => `hourglass_store_nodes{state="${state}"} ${n}.0`).join('\n');
  const requests = ['reads', 'writes'].map((kind, i) => `hourglass_store_requests_waiting{kind="${kind}"} ${i + 3}.0`).join('\n');
  assert.deepEqual(storeOf(`${text}\n${requests}\nhourglass_store_retries_total 4.0`), ['Nodes: 2 up, 1 down', 'Requests tried again: 4', 'Requests waiting: 7']);
  assert.deepEqual(storeOf('hourglass_store_nodes{state="up"} 0.0'), ['Nodes: none known']);
  assert.deepEqual(storeOf(''), []);
});

test('refusals are told by reason, the most frequent first, with the newest samples', () => {
  const entry = (type, reason, count, last, ...events) => ({ type, reason, count, last, samples: events.map((event) => ({ reason: `of ${event}`, event })) });
  const reasons = byReason({ total: 12, rejects: [
    entry('a', 'time: too old', 2, '2026-11-20T08:00:00Z', 'a1', 'a2'),
    entry(null, 'event: not JSON', 9, '2026-11-20T07:00:00Z', 'x'),
    entry('b', 'time: too old', 8, '2026-11-20T09:00:00Z', 'b1', 'b2', 'b3', 'b4'),
  ] });
  assert.deepEqual(reasons.map(({ reason, count, last }) => [reason, count, last]), [['time: too old', 10, '2026-11-20T09:00:00Z'], ['event: not JSON', 9, '2026-11-20T07:00:00Z']]);
  assert.deepEqual(reasons[0].types, [{ type: 'b', count: 8 }, { type: 'a', count: 2 }]);
  assert.deepEqual(reasons[0].samples.map(({ type, event }) => `${type} ${event}`), ['b b4', 'b b3', 'b b2', 'b b1', 'a a2']);
  assert.deepEqual(byReason({ total: 0, rejects: [] }), []);
});

test('how long ago reads in its largest unit', () => {
  assert.deepEqual([-5, 0, 999, 1000, 59_999, 60_000, 7_200_000, 86_400_000, 200_000_000].map(ago), ['0 s', '0 s', '0 s', '1 s', '59 s', '1 min', '2 h', '1 day', '2 days']);
});
