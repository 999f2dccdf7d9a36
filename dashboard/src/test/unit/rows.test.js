import assert from 'node:assert/strict';
import { test } from 'node:test';

import { describeRow, partsOf, sortRows, verdictOf } from '../../main/web/model/rows.js';

test('a row key gives type and shard', () => {
  assert.deepEqual(partsOf('20112608|checkout|3'), { type: 'checkout', shard: 3 });
  assert.deepEqual(partsOf('20112608|email%7Csent%25|0'), { type: 'email|sent%', shard: 0 });
  assert.deepEqual(partsOf('20112608|bad%zz|0'), { type: 'bad%zz', shard: 0 });
});

test('what the answer leaves out is filled in', () => {
  const row = describeRow({ row: '20112608|a|1', columns: 50, bytes: 90, target: { columns: 100, bytes: 100 } });
  assert.deepEqual([row.type, row.shard, row.fill], ['a', 1, 0.9]);
  assert.equal(describeRow({ row: '20112608|a|1', columns: 50, bytes: 90 }).fill, null);
  assert.equal(describeRow({ row: '20112608|a|1', columns: 50, fill: 0.25 }).fill, 0.25);
});

test('a fill is judged', () => {
  assert.deepEqual([0, 0.8, 0.81, 1, 1.01].map(verdictOf), ['ok', 'ok', 'nearly full', 'nearly full', 'too wide']);
});

test('sorts by any property, equal ones by type and shard, unknown ones apart', () => {
  const rows = [['b', 0, 5], ['a', 1, 5], ['a', 0, 5], ['c', 0, 9], ['d', 0, null]].map(([type, shard, columns]) => ({ type, shard, columns }));
  const names = (sorted) => sorted.map((r) => r.type + r.shard).join(' ');
  assert.equal(names(sortRows(rows, 'columns', true)), 'c0 a0 a1 b0 d0');
  assert.equal(names(sortRows(rows, 'columns', false)), 'd0 a0 a1 b0 c0');
  assert.equal(names(sortRows(rows, 'type', false)), 'a0 a1 b0 c0 d0');
});
