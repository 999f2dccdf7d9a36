import assert from 'node:assert/strict';
import { test } from 'node:test';

import { canFilter, having, literalOf, without } from '../../main/web/model/filter/cel.js';
import { and } from '../../main/web/model/filter/clauses.js';
import { ExactNumber } from '../../main/web/model/exact-number.js';
import { examplesOf } from '../../main/web/model/filter/examples.js';

test('a value makes a clause', () => {
  const clauses = [
    [['status'], 500, 'data.status == 500'],
    [['user', 'plan'], 'free', 'data.user.plan == "free"'],
    [['user-agent'], 'curl', 'data["user-agent"] == "curl"'],
    [['a b', 'in', 'x'], true, 'data["a b"]["in"].x == true'],
    [['q"\\'], null, 'data["q\\"\\\\"] == null'],
    [[''], 1, 'data[""] == 1'],
    [['tags', 2], 'eu', '"eu" in data.tags'],
    [['items', 0, 'sku'], 'A', 'data.items.exists(i, i.sku == "A")'],
    [['items', 0, 'codes', 1], 7, 'data.items.exists(i, 7 in i.codes)'],
    [['grid', 0, 1], 7, 'data.grid.exists(i, 7 in i)'],
    [['a', 0, 'b', 0, 'c'], 1, 'data.a.exists(i, i.b.exists(i2, i2.c == 1))'],
  ];
  for (const [path, value, clause] of clauses) assert.equal(having(path, value), clause);
});

test('without it are also those that have no such field', () => {
  const clauses = [
    [['status'], 500, '(!has(data.status) || data.status != 500)'],
    [['user', 'plan'], 'free', '(!has(data.user) || !has(data.user.plan) || data.user.plan != "free")'],
    [['user-agent'], 'curl', '(!("user-agent" in data) || data["user-agent"] != "curl")'],
    [['tags', 2], 'eu', '(!has(data.tags) || !("eu" in data.tags))'],
    [['items', 0, 'sku'], 'A', '(!has(data.items) || !data.items.exists(i, has(i.sku) && i.sku == "A"))'],
    [['items', 0, 'x-y', 'z'], 1, '(!has(data.items) || !data.items.exists(i, "x-y" in i && has(i["x-y"].z) && i["x-y"].z == 1))'],
  ];
  for (const [path, value, clause] of clauses) assert.equal(without(path, value), clause);
});

test('literals keep every digit and every character', () => {
  const literals = [
    ['say "hi"\n\\\u0001', '"say \\"hi\\"\\n\\\\\\u0001"'],
    ['ü 😀', '"ü 😀"'],
    [-1.5, '-1.5'],
    [1e21, '1e+21'],
    [1e20, '100000000000000000000.0'],
    [new ExactNumber('9007199254740993'), '9007199254740993'],
    [new ExactNumber('-9223372036854775808'), '-9223372036854775808'],
    [new ExactNumber('9223372036854775808'), '9223372036854775808.0'],
    [new ExactNumber('0.12345678901234567891'), '0.12345678901234567891'],
    [false, 'false'],
  ];
  for (const [value, literal] of literals) assert.equal(literalOf(value), literal);
});

test('what has no literal makes no clause', () => {
  assert.ok(!canFilter(['a'], '\ud800'));
  assert.ok(!canFilter(['\udc00'], 1));
  assert.ok(!canFilter(['a'], Infinity));
  assert.ok(!canFilter(['a'], { b: 1 }));
  assert.ok(canFilter(['a', 0], 'x'));
});

test('clauses are added to what the reader wrote', () => {
  const added = [
    ['', 'data.a == 1'],
    ['data.b == 2', 'data.b == 2 && data.a == 1'],
    ['data.b == 2 || data.c == 3', '(data.b == 2 || data.c == 3) && data.a == 1'],
    ['data.b ? true : false', '(data.b ? true : false) && data.a == 1'],
    ['(data.b == 2 || data.c == 3)', '(data.b == 2 || data.c == 3) && data.a == 1'],
    ['data.b == "x || y"', 'data.b == "x || y" && data.a == 1'],
    ["data.b == 'it\\'s || so'", "data.b == 'it\\'s || so' && data.a == 1"],
    ['data.b == r"\\" || true', '(data.b == r"\\" || true) && data.a == 1'],
    ['data.b == """a "b" || c"""', 'data.b == """a "b" || c""" && data.a == 1'],
    ['data.b in ["||"]', 'data.b in ["||"] && data.a == 1'],
  ];
  for (const [before, after] of added) assert.equal(and(before, 'data.a == 1'), after);
});

test('a clause that is there already is not added again', () => {
  const twice = 'data.b == "x && y" && data.a == 1';
  assert.equal(and(twice, 'data.a == 1'), twice);
  assert.equal(and(twice, 'data.b == "x && y"'), twice);
  assert.equal(and(' data.a == 1 ', 'data.a == 1'), 'data.a == 1');
  assert.notEqual(and('data.a == 1 || data.b', 'data.a == 1'), 'data.a == 1 || data.b');
});

test('examples are made from an event, or made up', () => {
  const wheres = (data) => examplesOf(data).map(({ where }) => where);
  assert.ok(wheres({ type: 't', 'user-agent': 'curl', n: { ms: 12 } }).includes('data["user-agent"] == "curl" && data.n.ms < 12'));
  for (const data of [undefined, null, 'text', {}, { a: [1] }, { a: '\ud800' }]) assert.ok(wheres(data).length >= 1, JSON.stringify(data));
});
