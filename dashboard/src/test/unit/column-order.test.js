import assert from 'node:assert/strict';
import { test } from 'node:test';

import { reordered, withColumn } from '../../main/web/state/column-order.js';

test('moved columns take the places that they had together, and new ones the end', () => {
  assert.deepEqual(reordered([], ['b', 'a']), ['b', 'a']);
  assert.deepEqual(reordered(['x', 'a', 'y', 'b'], ['b', 'a']), ['x', 'b', 'y', 'a']);
  assert.deepEqual(reordered(['x', 'a'], ['new', 'a']), ['x', 'new', 'a']);
});

test('a column is added where it was moved to before, else at the end', () => {
  const order = ['a', 'b', 'c'];
  assert.deepEqual(withColumn(['a', 'c'], 'b', order), ['a', 'b', 'c']);
  assert.deepEqual(withColumn(['other', 'c'], 'a', order), ['other', 'a', 'c']);
  assert.deepEqual(withColumn(['a'], 'c', order), ['a', 'c']);
  assert.deepEqual(withColumn(['a'], 'other', order), ['a', 'other']);
  assert.deepEqual(withColumn(['a', 'b'], 'a', order), ['a', 'b']);
});
