import assert from 'node:assert/strict';
import { test } from 'node:test';

import { compare } from '../../main/web/api/comparison.js';
import { comparable, comparedNumbers, comparedValues, ranked, tellsAll } from '../../main/web/model/compare.js';

const field = (name, events, distinct, kinds, values = []) => ({ field: name, events, distinct, kinds: { number: 0, string: 0, boolean: 0, null: 0, object: 0, list: 0, ...kinds }, values });
const counts = (values) => Object.entries(values).map(([value, count]) => ({ value, count }));

test('shares of the selection stand beside those of the rest', () => {
  const { difference, values } = comparedValues({ name: 'data.level', selected: counts({ error: 8, info: 2 }), all: counts({ info: 92, error: 8, warn: 10 }) }, { selected: 10, all: 110 });
  assert.deepEqual(values, [{ value: 'error', selected: 0.8, rest: 0 }, { value: 'info', selected: 0.2, rest: 0.9 }, { value: 'warn', selected: 0, rest: 0.1 }]);
  assert.equal(difference, 0.8);
  assert.equal(comparedValues({ name: 'x', selected: [], all: [] }, { selected: 0, all: 0 }).difference, 0);
});

test('values of another kind are others', () => {
  const { values } = comparedValues({ name: 'x', selected: [{ value: 1, count: 1 }], all: [{ value: '1', count: 1 }, { value: 1, count: 1 }] }, { selected: 1, all: 2 });
  assert.deepEqual(values, [{ value: 1, selected: 1, rest: 0 }, { value: '1', selected: 0, rest: 1 }]);
});

test('ids and objects are not compared, numbers by their spread', () => {
  const all = { fields: [field('data.id', 9, 90_000, { string: 9 }), field('data.user', 9, 0, { object: 9 }), field('data.level', 9, 3, { string: 9 }), field('data.ms', 9, 70, { number: 9 })] };
  const found = comparable({ fields: [field('data.code', 1, 1, { string: 1 })] }, all).map(({ name, isNumber }) => [name, isNumber]);
  assert.deepEqual(found, [['data.level', false], ['data.ms', true], ['data.code', false]]);
  assert.ok(tellsAll(field('data.a', 3, 2, { string: 3 }, counts({ a: 2, b: 1 }))));
  assert.ok(!tellsAll(field('data.a', 4, 3, { string: 4 }, counts({ a: 2, b: 1 }))));
});

test('what stands out comes first, what the filter names last, and noise not at all', () => {
  const fields = [{ name: 'a', difference: 0.01 }, { name: 'b', difference: 0.9 }, { name: 'c', difference: 0.3 }, { name: 'd', difference: 0.5 }];
  assert.deepEqual(ranked(fields, new Set(['b'])).map(({ name }) => name), ['d', 'c', 'b']);
});

test('numbers are apart by their ratio', () => {
  const apart = (p50, other) => comparedNumbers('x', { p50, p90: 1 }, { p50: other, p90: 1 }).difference;
  assert.equal(apart(5, 5), 0);
  assert.equal(apart(10, 5), 0.5);
  assert.equal(apart(5, 20), 0.75);
  assert.ok(apart(-5, 5) > 0.5 && apart(0, 5) < 1);
});

test('a comparison asks for further values only where the few do not tell all', async () => {
  const asked = [];
  const of = (query, selected, all) => (query.q ? selected : all);
  const client = {
    fields: async (query) => of(query, { events: 2, fields: [field('data.level', 2, 1, { string: 2 }, counts({ error: 2 })), field('data.host', 2, 2, { string: 2 }, counts({ a: 1 }))] },
      { events: 10, fields: [field('data.level', 10, 2, { string: 10 }, counts({ info: 8, error: 2 })), field('data.host', 10, 2, { string: 10 }, counts({ a: 5, b: 5 }))] }),
    types: async (query) => of(query, { types: [{ type: 't', count: 2 }] }, { types: [{ type: 't', count: 10 }] }),
    top: async (query) => (asked.push(query.field), of(query, { values: counts({ a: 2 }) }, { values: counts({ a: 5, b: 5 }) })),
  };
  const { events, fields } = await compare(client, { q: 'x' }, {}, new Set());
  assert.deepEqual(events, { selected: 2, all: 10 });
  assert.deepEqual(fields.map(({ name }) => name), ['data.level', 'data.host']);
  assert.deepEqual(asked, ['data.host', 'data.host']);
});
