import assert from 'node:assert/strict';
import { test } from 'node:test';

import { SLOTS, TypeColours } from '../../main/web/model/type-colours.js';
import { toggled, typeChoices, typesInColour } from '../../main/web/model/types.js';

const named = (n) => Array.from({ length: n }, (_, i) => `t${i}`);

test('the first types get a colour each, the others none', () => {
  const colours = new TypeColours().next(named(SLOTS));
  assert.equal(new Set(named(SLOTS).map((t) => colours.slotOf(t))).size, SLOTS);
  assert.equal(colours.slotOf(`t${SLOTS}`), -1);
  assert.equal(colours.cssOf('unheard of'), 'var(--series-other)');
});

test('a type keeps its colour when its rank changes and when others go', () => {
  const before = new TypeColours().next(['a', 'b', 'c']);
  const after = before.next(['c', 'x', 'a']);
  assert.equal(after.slotOf('c'), before.slotOf('c'));
  assert.equal(after.slotOf('a'), before.slotOf('a'));
  assert.equal(after.slotOf('x'), before.slotOf('b'));
});

test('a chosen type is always in colour, however rare', () => {
  const types = named(40).map((type, i) => ({ type, count: 100 - i, bytes: 0 }));
  const choices = typeChoices(types, ['t39']);
  assert.deepEqual(typesInColour(choices, ['t39'], 3), ['t0', 't1', 't39']);
  assert.deepEqual(typesInColour(choices, named(40), 3), ['t0', 't1', 't2']);
  assert.deepEqual(typesInColour(choices, [], 3), typesInColour(choices, ['t1'], 3));
});

test('types stand by count; a chosen one that the hour lacks can still be let go', () => {
  const choices = typeChoices([{ type: 'a', count: 1 }, { type: 'b', count: 9 }], ['gone', 'a']);
  assert.deepEqual(choices.map((t) => [t.type, t.count]), [['b', 9], ['a', 1], ['gone', 0]]);
  assert.deepEqual(toggled(['gone', 'a'], 'gone'), ['a']);
  assert.deepEqual(toggled([], 'b'), ['b']);
});
