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

const slotsOf = (colours, types) => types.map((type) => colours.slotOf(type));
const fresh = (types) => new TypeColours().next(types);

test('a name has its colour whatever its rank and whenever it was first seen', () => {
  assert.deepEqual(slotsOf(fresh(['page.view', 'checkout', 'login']), ['checkout', 'login', 'page.view']), [5, 1, 2]);
  assert.deepEqual(slotsOf(fresh(['login', 'refund', 'checkout']), ['checkout', 'login']), [5, 1]);
  const types = named(SLOTS);
  assert.deepEqual(slotsOf(fresh(types), types), slotsOf(fresh(types.toReversed()), types));
});

test('where two names want one colour, the first by name has it', () => {
  const alone = (type) => fresh([type]).slotOf(type);
  const [a, b] = named(SLOTS + 1).flatMap((one, i, all) => all.slice(i + 1).map((two) => [one, two])).find(([one, two]) => alone(one) === alone(two));
  const both = fresh([b, a]);
  assert.equal(both.slotOf(a), alone(a));
  assert.notEqual(both.slotOf(b), alone(b));
});

test('a type keeps its colour from view to view, whoever comes and goes', () => {
  let colours = fresh(named(3));
  for (let first = 0; first < 100; first++) {
    const next = Array.from({ length: SLOTS }, (_, i) => `t${first + i}`);
    const stay = next.filter((type) => colours.slotOf(type) >= 0);
    const before = slotsOf(colours, stay);
    colours = colours.next(next);
    assert.deepEqual(slotsOf(colours, stay), before);
    assert.equal(new Set(slotsOf(colours, next)).size, SLOTS);
  }
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
