import assert from 'node:assert/strict';
import { test } from 'node:test';

import { colourOf } from '../../main/web/model/type-colours.js';
import { toggled, typeChoices, typesApart } from '../../main/web/model/types.js';

const named = (n) => Array.from({ length: n }, (_, i) => `t${i}`);

test('a colour follows from the name alone, and stays from release to release', () => {
  assert.equal(colourOf('checkout'), 'light-dark(oklch(0.62 0.16 89), oklch(0.75 0.16 89))');
  assert.equal(colourOf('checkout'), colourOf(['check', 'out'].join('')));
});

test('names that are alike are seldom alike in colour', () => {
  assert.ok(new Set(named(50).map(colourOf)).size > 45);
});

/** Depth, strength and hue in the light theme. */
const partsOf = (type) => /oklch\((\S+) (\S+) (\d+)\)/.exec(colourOf(type)).slice(1).map(Number);

test('the types of the demo are told apart', () => {
  const types = ['page_view', 'search', 'cart_add', 'login', 'checkout', 'payment', 'stock_update', 'error'];
  const places = types.map(partsOf).map(([depth, strength, hue]) => [1.2 * depth, strength * Math.cos((hue * Math.PI) / 180), strength * Math.sin((hue * Math.PI) / 180)]);
  const apart = places.flatMap((one, i) => places.slice(0, i).map((other) => Math.hypot(...one.map((part, k) => part - other[k]))));
  assert.ok(Math.min(...apart) > 0.1, `${Math.min(...apart)}`);
});

test('a chosen type is always shown apart, however rare', () => {
  const types = named(40).map((type, i) => ({ type, count: 100 - i, bytes: 0 }));
  const choices = typeChoices(types, ['t39']);
  assert.deepEqual(typesApart(choices, ['t39'], 3), ['t0', 't1', 't39']);
  assert.deepEqual(typesApart(choices, named(40), 3), ['t0', 't1', 't2']);
  assert.deepEqual(typesApart(choices, [], 3), typesApart(choices, ['t1'], 3));
});

test('types stand by count; a chosen one that the hour lacks can still be let go', () => {
  const choices = typeChoices([{ type: 'a', count: 1 }, { type: 'b', count: 9 }], ['gone', 'a']);
  assert.deepEqual(choices.map((t) => [t.type, t.count]), [['b', 9], ['a', 1], ['gone', 0]]);
  assert.deepEqual(toggled(['gone', 'a'], 'gone'), ['a']);
  assert.deepEqual(toggled([], 'b'), ['b']);
});
