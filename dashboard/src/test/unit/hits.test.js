import assert from 'node:assert/strict';
import { test } from 'node:test';

import { byHourOfDay, layersAt, onLog, stackHits, tops, typesOfHits } from '../../main/web/model/hits.js';

const ANSWER = {
  step_ms: 60_000,
  from: '2026-11-20T08:00:00Z',
  series: [
    { type: 'c', counts: [0, 1, 0] },
    { type: 'a', counts: [5, 0, 2] },
    { type: 'b', counts: [1, 1, 1] },
    { type: 'd', counts: [0, 4, 0] },
  ],
  total: 15,
};
const apart = new Set(['a', 'b']);

/** Long after all of it. */
const LATER = Date.parse('2026-11-21T00:00:00Z');

test('stacks in the order of the list, and the other types together on top', () => {
  const names = (order) => stackHits(ANSWER, new Set(order), 180_000, LATER).layers.map(({ name }) => name);
  assert.deepEqual(names(['b', 'a']), ['b', 'a', '2 other types']);
  const stack = stackHits(ANSWER, apart, 180_000, LATER);
  assert.deepEqual(stack.layers.map(({ name, values }) => [name, values]), [['a', [5, 0, 2]], ['b', [1, 1, 1]], ['2 other types', [0, 5, 0]]]);
  assert.deepEqual(layersAt(stack, 1).map(({ name }) => name), ['b', '2 other types']);
  assert.deepEqual(stack.totals, [6, 6, 3]);
  assert.deepEqual(stack.peak, { index: 0, count: 6 });
  assert.deepEqual(tops(stack.layers, 3), [[5, 0, 2], [6, 1, 3], [6, 6, 3]]);
});

test('a single other type keeps its name', () => {
  const stack = stackHits({ ...ANSWER, series: ANSWER.series.slice(0, 3) }, apart, 180_000, LATER);
  assert.equal(stack.layers.at(-1).name, 'c');
});

test('times start where the answer says, as text or in milliseconds', () => {
  const start = Date.parse(ANSWER.from);
  assert.deepEqual(stackHits(ANSWER, apart, 180_000, LATER).times, [start, start + 60_000, start + 120_000]);
  assert.equal(stackHits({ ...ANSWER, from: start }, apart, 180_000, LATER).times[0], start);
});

test('time that was asked for and not counted is there, with nothing', () => {
  assert.deepEqual(stackHits(ANSWER, apart, 300_000, LATER).totals, [6, 6, 3, 0, 0]);
});

test('a span that is under way ends now, not in the future', () => {
  const at = (clock) => Date.parse(`2026-11-20T${clock}Z`);
  const shown = (clock, counts = [5, 0, 2]) => {
    const stack = stackHits({ ...ANSWER, series: [{ type: 'a', counts: [...counts, 0, 0, 0, 0] }] }, apart, 3_600_000, at(clock));
    return [stack.times.length, stack.endMillis, stack.totals.length, stack.layers[0].values.length];
  };
  assert.deepEqual(shown('08:02:30'), [3, at('08:02:30'), 3, 3]);
  assert.deepEqual(shown('08:20:00'), [20, at('08:20:00'), 20, 20]);
  assert.deepEqual(shown('08:01:10'), [3, at('08:03:00'), 3, 3], 'events ahead of the clock are shown');
  assert.deepEqual(shown('09:00:00'), [60, at('09:00:00'), 60, 60]);
  assert.deepEqual(shown('07:00:00'), [60, at('09:00:00'), 60, 60], 'all that is yet to come');
  assert.deepEqual(shown('08:00:01', [0, 0, 0]), [1, at('08:00:01'), 1, 1]);
});

test('nothing is a stack too', () => {
  const stack = stackHits({ ...ANSWER, series: [], total: 0 }, apart, 180_000, LATER);
  assert.deepEqual([stack.layers, stack.totals, stack.peak], [[], [0, 0, 0], null]);
});

test('hours of the day stand by their clock', () => {
  const hours = byHourOfDay({ step_ms: 3_600_000, from: '2026-11-20T02:00:00Z', series: [{ type: 'a', counts: [1, 2] }, { type: 'b', counts: [10] }], total: 13 });
  assert.equal(hours.length, 24);
  assert.deepEqual(hours.slice(0, 5), [0, 0, 11, 2, 0]);
});

test('hits tell the types that have any', () => {
  const none = { type: 'none', counts: [0, 0] };
  assert.deepEqual(typesOfHits({ series: [...ANSWER.series, none] }).types.map(({ type, count }) => `${type} ${count}`), ['c 1', 'a 7', 'b 3', 'd 4']);
});

test('a span that is no whole number of steps has its last part', () => {
  assert.equal(stackHits(ANSWER, apart, 200_000, LATER).totals.length, 4);
});

test('a log axis has figures above zero only', () => {
  assert.deepEqual(onLog([0, 0.002, null, -3, 40]), [null, 0.002, null, null, 40]);
});
