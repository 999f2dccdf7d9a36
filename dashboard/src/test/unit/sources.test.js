import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parseMetrics } from '../../main/web/model/system/metrics.js';
import { acceptedOf, describeSources, rateOf, troublesOf } from '../../main/web/model/system/sources.js';

const TEXT = `# HELP hourglass_kafka_lag Records
# TYPE hourglass_kafka_lag gauge
hourglass_ingest_events_total{verdict="accepted"} 3000.0
hourglass_ingest_events_total{verdict="rejected"} 2.0
hourglass_kafka_commits_total 18.0
hourglass_kafka_lag{partition="10",topic="orders"} 5.0
hourglass_kafka_lag{partition="9",topic="orders"} 7.0
hourglass_kafka_held{partition="9",topic="orders"} 4.0
hourglass_kafka_paused{partition="9",topic="orders"} 1.0
hourglass_kafka_committed{partition="9",topic="orders"} 1.234567E8
hourglass_kafka_pauses_total 1.0
hourglass_kafka_records_total{topic="orders",verdict="accepted"} 2500.0
hourglass_kafka_records_total{topic="gone",verdict="tombstone"} 3.0
hourglass_kafka_troubled 0.0
jvm_threads_live_threads 30.0
`;

const look = (text, atMillis) => describeSources(parseMetrics(text), atMillis);

test('samples are read with their labels, escapes and all', () => {
  assert.deepEqual(parseMetrics('# TYPE a gauge\na{b="x\\"y\\\\z\\n",c="1,2}"} 1.5E3\nb 2 1700000000\n'), [
    { name: 'a', labels: { b: 'x"y\\z\n', c: '1,2}' }, value: 1500 },
    { name: 'b', labels: {}, value: 2 },
  ]);
  assert.equal(parseMetrics(TEXT, 'jvm_').length, 1);
});

test('topics and partitions are told, in order of their numbers', () => {
  const sources = look(TEXT, 0);
  assert.deepEqual([sources.ingests, sources.kafka, sources.accepted, sources.rejected, sources.commits], [true, true, 3000, 2, 18]);
  assert.deepEqual(sources.partitions, [
    { topic: 'orders', partition: 9, lag: 7, held: 4, paused: 1, committed: 123456700 },
    { topic: 'orders', partition: 10, lag: 5, held: null, paused: 0, committed: null },
  ]);
  assert.deepEqual(sources.topics, [
    { topic: 'gone', accepted: 0, rejected: 0, tombstones: 3, partitions: 0, lag: null },
    { topic: 'orders', accepted: 2500, rejected: 0, tombstones: 0, partitions: 2, lag: 12 },
  ]);
});

test('a process without topics, and one that does not ingest', () => {
  const pushed = look('hourglass_ingest_events_total{verdict="accepted"} 1.0', 0);
  assert.deepEqual([pushed.ingests, pushed.kafka, pushed.topics], [true, false, []]);
  assert.equal(look('hourglass_query_events_total 1.0', 0).ingests, false);
});

test('a rate needs two looks at one process', () => {
  const first = look(TEXT, 10_000);
  const second = look(TEXT.replace(' 2500.0', ' 2600.0').replace(' 3000.0', ' 3100.0'), 12_000);
  assert.equal(rateOf(second, first, (l) => l.accepted), 50);
  assert.equal(rateOf(second, first, acceptedOf('orders')), 50);
  assert.equal(rateOf(second, null, (l) => l.accepted), null);
  assert.equal(rateOf(first, second, (l) => l.accepted), null);
  assert.equal(rateOf({ ...second, startedAt: 7 }, first, (l) => l.accepted), null);
});

test('only troubles that happened are told', () => {
  assert.deepEqual(troublesOf(look(TEXT, 0), String), ['1 pauses, since the store was slower than the topics']);
  assert.deepEqual(troublesOf(look('', 0), String), []);
});
