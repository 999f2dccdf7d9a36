import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ExactNumber } from '../../main/web/model/exact-number.js';
import { canFilter, canSay, exists, existsNot, hasNotValue, hasValue, having, inRange, typedValue, without } from '../../main/web/model/filter/field-clauses.js';
import { literalOf } from '../../main/web/model/filter/cel.js';
import { examplesOf } from '../../main/web/model/filter/examples.js';

test('a click on a value means a test of its field', () => {
  const clauses = [
    ['data.status', 500, 'status:=500'],
    ['data.level', 'error', 'level:=error'],
    ['data.user-agent', 'curl', 'user-agent:=curl'],
    ['data.größe', 1, 'größe:=1'],
    ['data.http.status', 200, 'http.status:=200'],
    ['data.odd name', true, '`odd name`:=true'],
    ['data.a:b', 1, '`a:b`:=1'],
    ['data.type', 'x', 'data.type:=x'],
    ['data.data.x', 1, 'data.data.x:=1'],
    ['data.none', null, 'none:=null'],
    ['type', 'a"b', 'type:="a\\"b"'],
    ['data.trailing-', 1, '`trailing-`:=1'],
  ];
  for (const [name, value, clause] of clauses) {
    assert.equal(hasValue(name, value), clause);
    assert.equal(hasNotValue(name, value), `-${clause}`);
  }
});

test('texts are in quotes where they would mean something else without', () => {
  const values = [
    ['web-1', 'web-1'], ['/api/cart', '/api/cart'], ['a.b.c', 'a.b.c'],
    ['', '""'], ['a b', '"a b"'], ['500', '"500"'], ['-5', '"-5"'], ['true', '"true"'], ['OR', '"OR"'], ['a*', '"a*"'], ['a:b', '"a:b"'],
    ['"q" \\', '"\\"q\\" \\\\"'], ['(x)', '"(x)"'], ['a,b', '"a,b"'], ['~x', '"~x"'], ['1..2', '"1..2"'], ['a..b', '"a..b"'], ["'x'", '"\'x\'"'], ['//x', '"//x"'], ['ü 😀', '"ü 😀"'],
    [new ExactNumber('9007199254740993'), '9007199254740993'], [1.5e-7, '1.5e-7'],
  ];
  for (const [value, text] of values) assert.equal(typedValue(value), text, text);
});

test('what a test cannot say is an expression', () => {
  assert.equal(hasValue('data.text', 'one\ntwo'), 'data.text == "one\\ntwo"');
  assert.equal(hasNotValue('data.text', 'one\ntwo'), '(!has(data.text) || data.text != "one\\ntwo")');
  const digits = `0.${'1'.repeat(50)}`;
  assert.equal(hasValue('data.x', new ExactNumber(digits)), `data.x == ${digits}`);
  assert.equal(canSay('data.x', new ExactNumber('1e999')), false);
  assert.equal(canSay('data.a', { nested: 1 }), false);
  assert.equal(canSay('data.a', '\ud800'), false);
  assert.equal(canSay('data.a`b', 1), false);
  assert.ok(canSay('data.a b', 1));
});

test('a field is asked for by its name', () => {
  assert.equal(exists('data.a.b'), '_exists_:a.b');
  assert.equal(existsNot('data.status'), '-_exists_:status');
  assert.equal(exists('data.a b'), '`a b`:*');
  assert.equal(existsNot('data.a b'), '-`a b`:*');
  assert.equal(exists('data.type'), '_exists_:data.type');
});

test('a bar of a histogram means its range', () => {
  assert.equal(inRange('data.ms', { from: 250, to: 500, last: true }), 'ms:250..500');
  assert.equal(inRange('data.ms', { from: -1.5, to: 500, last: false }), 'ms:[-1.5 TO 500}');
  assert.equal(inRange('data.ms', { from: 7, to: 7, last: true }), 'ms:=7');
  assert.equal(inRange('data.a b', { from: 1, to: 2, last: true }), '`a b`:1..2');
});

test('a value within an event means a test of its field, in a list of one of its elements', () => {
  const clauses = [
    [['status'], 500, 'status:=500', '-status:=500'],
    [['user', 'plan'], 'free', 'user.plan:=free', '-user.plan:=free'],
    [['tags', 2], 'eu', 'tags:eu', '-tags:eu'],
    [['tags', 0], 'a b', 'tags:"a b"', '-tags:"a b"'],
    [['tags', 0], '', '"" in data.tags', '(!has(data.tags) || !("" in data.tags))'],
    [['q`x'], null, 'data["q`x"] == null', '(!("q`x" in data) || data["q`x"] != null)'],
    [[''], 1, 'data[""] == 1', '(!("" in data) || data[""] != 1)'],
    [['items', 0, 'sku'], 'A', 'data.items.exists(i, i.sku == "A")', '(!has(data.items) || !data.items.exists(i, has(i.sku) && i.sku == "A"))'],
    [['items', 0, 'codes', 1], 7, 'data.items.exists(i, 7 in i.codes)', '(!has(data.items) || !data.items.exists(i, has(i.codes) && 7 in i.codes))'],
    [['grid', 0, 1], 7, 'data.grid.exists(i, 7 in i)', '(!has(data.grid) || !data.grid.exists(i, 7 in i))'],
    [['a', 0, 'b', 0, 'c'], 1, 'data.a.exists(i, i.b.exists(i2, i2.c == 1))', '(!has(data.a) || !data.a.exists(i, has(i.b) && i.b.exists(i2, has(i2.c) && i2.c == 1)))'],
  ];
  for (const [path, value, only, not] of clauses) assert.deepEqual([having(path, value), without(path, value)], [only, not]);
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

test('examples are made from an event, or made up', () => {
  const filters = (data) => examplesOf(data).map(({ q }) => q);
  assert.deepEqual(filters({ type: 't', 'user-agent': 'curl', n: { ms: 12 } }), ['n.ms>=12', 'user-agent:=curl', '-user-agent:=curl', 'user-agent:cur*', 'user-agent:=curl n.ms>=12']);
  for (const data of [undefined, null, 'text']) assert.ok(filters(data).length >= 1, JSON.stringify(data));
  for (const data of [{}, { a: [1] }, { a: '\ud800' }]) assert.deepEqual(filters(data), []);
});
