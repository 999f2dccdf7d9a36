import assert from 'node:assert/strict';
import { test } from 'node:test';

import { countEach } from '../../main/web/api/count-each.js';
import { binsOf, BINS_MAX, countValues, placeOf, whereOf } from '../../main/web/model/histogram.js';

const edgesOf = (min, max) => {
  const { bins, log } = binsOf({ min, max });
  return [log, [bins[0].from, ...bins.map(({ to }) => to)]];
};

test('bins have round bounds around the numbers that there are', () => {
  assert.deepEqual(edgesOf(0.4, 12352.5), [true, [0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000]]);
  assert.deepEqual(edgesOf(200, 503), [false, [200, 220, 240, 260, 280, 300, 320, 340, 360, 380, 400, 420, 440, 460, 480, 500, 520]]);
  assert.deepEqual(edgesOf(-3, 4), [false, [-3, -2.5, -2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4]]);
  assert.deepEqual(edgesOf(7, 7), [false, [7, 7]]);
});

test('bins are few and hold everything, whatever the numbers are', () => {
  for (const [min, max] of [[1e-300, 1e300], [-1e308, 1e308], [0, 1], [0, 5e-324], [1, 1e9], [99, 100.0001], [1e15, 1e15 + 8], [0.001, 3e7]]) {
    const { bins } = binsOf({ min, max });
    assert.ok(bins.length >= 1 && bins.length <= BINS_MAX + 1, `${min} ${max}: ${bins.length}`);
    assert.deepEqual(countValues(bins, [{ value: min, count: 1 }, { value: max, count: 2 }]).reduce((a, b) => a + b), 3, `${min} ${max}`);
    bins.slice(1).forEach((bin, i) => assert.equal(bin.from, bins[i].to));
  }
});

test('a bin is a condition, and values are counted by it', () => {
  assert.equal(whereOf('data.ms', { from: 1, to: 2, last: false }), 'data.ms >= 1 && data.ms < 2');
  assert.equal(whereOf('data.ms', { from: 1, to: 2, last: true }), 'data.ms >= 1 && data.ms <= 2');
  const { bins } = binsOf({ min: 0, max: 4 });
  assert.equal(countValues(bins, [{ value: 'text', count: 9 }, { value: 4, count: 2 }]).at(-1), 2);
});

test('a number has a place on the axis', () => {
  const axis = binsOf({ min: 1, max: 1000 });
  assert.equal(placeOf(1, axis), 0);
  assert.equal(placeOf(1000, axis), 1);
  assert.ok(Math.abs(placeOf(3, axis) - (1 + Math.log(1.5) / Math.log(2.5)) / 9) < 1e-9);
});

test('counts are asked for two at a time, and come in order', async () => {
  let [now, most] = [0, 0];
  const client = {
    async hits({ where }) {
      most = Math.max(most, ++now);
      await new Promise((resolve) => setImmediate(resolve));
      now--;
      return { total: Number(where.slice(1)) };
    },
  };
  assert.deepEqual(await countEach(client, {}, ['x1', 'x2', 'x3', 'x4', 'x5']), [1, 2, 3, 4, 5]);
  assert.equal(most, 2);
});
