import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ExactNumber } from '../../main/web/model/exact-number.js';
import { nextSort, sortEvents } from '../../main/web/model/sorted-events.js';
import { readWidths, WIDTH_MAX, withWidth } from '../../main/web/state/widths.js';

const events = [30, 'b', 4, undefined, new ExactNumber('10000000000000000001'), 'a', null, 4].map((n, i) => ({ type: `t${i % 2}`, data: { n, i } }));
const sorted = (sort) => sortEvents(events, sort).map(({ data }) => data.i);

test('a column sorts numbers by size, texts after them, what is not there last', () => {
  assert.deepEqual(sorted({ name: 'data.n', descending: false }), [2, 7, 0, 4, 5, 1, 3, 6]);
  assert.deepEqual(sorted({ name: 'data.n', descending: true }), [1, 5, 4, 0, 2, 7, 3, 6]);
});

test('types sort too, and equal ones keep their order', () => {
  assert.deepEqual(sorted({ name: 'type', descending: false }), [0, 2, 4, 6, 1, 3, 5, 7]);
  assert.equal(events[0].data.i, 0, 'the list itself stays as it was');
});

test('clicks sort upwards, downwards, and by time again', () => {
  const up = nextSort(null, 'type');
  const down = nextSort(up, 'type');
  assert.deepEqual([up, down, nextSort(down, 'type')], [{ name: 'type', descending: false }, { name: 'type', descending: true }, null]);
  assert.deepEqual(nextSort(down, 'data.n'), { name: 'data.n', descending: false });
});

test('widths stay within bounds, and so does their number', () => {
  assert.deepEqual(withWidth({ a: 100 }, 'b', 3.4), { a: 100, b: 40 });
  assert.deepEqual(withWidth({ a: 100 }, 'a', 1e9), { a: WIDTH_MAX });
  let widths = {};
  for (let i = 0; i < 150; i++) widths = withWidth(widths, `f${i}`, 100);
  assert.deepEqual([Object.keys(widths).length, 'f149' in widths, 'f0' in widths], [100, true, false]);
  assert.deepEqual(readWidths(), {}, 'without a browser nothing is kept');
});
