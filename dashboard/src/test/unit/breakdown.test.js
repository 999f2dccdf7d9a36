import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ExactNumber } from '../../main/web/model/exact-number.js';
import { groupingOf, groupOf, isAsked, isUsual, likelyNumber, measureName } from '../../main/web/model/breakdown.js';
import { linesOf, stackGroups } from '../../main/web/model/hits.js';

const HOST = 'data.host';
const group = (value) => ({ group: { [HOST]: value } });

test('a value of a field has clauses for its events and for all others', () => {
  assert.deepEqual(groupOf(group('web-1'), HOST), { name: 'web-1', value: 'web-1', only: 'host:=web-1', others: '-host:=web-1', apart: true });
  assert.equal(groupOf({ group: { 'data.user-agent.v': 3 } }, 'data.user-agent.v').only, 'user-agent.v:=3');
  assert.equal(groupOf(group(null), HOST).name, 'null');
  assert.equal(groupOf(group(''), HOST).name, '""');
});

test('a text and a number that read alike are two groups with two names', () => {
  assert.equal(groupOf(group(200), HOST).name, '200');
  assert.equal(groupOf(group('200'), HOST).name, '"200"');
  assert.equal(groupOf(group('true'), HOST).name, '"true"');
  assert.equal(groupOf(group('200 OK'), HOST).name, '200 OK');
});

test('the number that is likely meant is a duration, or the only number', () => {
  const field = (name, events, number = events) => ({ field: name, events, kinds: { number } });
  assert.equal(likelyNumber([field('data.status', 90), field('data.ms', 80), field('data.db.took_ms', 9)]), 'data.ms');
  assert.equal(likelyNumber([field('data.status', 90), field('data.durationMs', 80)]), 'data.durationMs');
  assert.equal(likelyNumber([field('data.amount', 90), field('data.path', 80, 0)]), 'data.amount');
  assert.equal(likelyNumber([field('data.status', 90), field('data.amount', 80)]), '');
  assert.equal(likelyNumber([]), '');
});

test('events without the field are a group, those with too much there only a name', () => {
  const absent = groupOf({ group: { absent: [HOST] } }, HOST);
  assert.deepEqual(absent, { name: 'no such field', only: '-_exists_:host', others: '_exists_:host', apart: false });
  assert.deepEqual(groupOf({ group: { nested: [HOST] } }, HOST), { name: 'an object or a list', only: null, others: null, apart: false });
});

test('a field that no filter can name has no clauses', () => {
  const by = 'data.a`b';
  assert.deepEqual([groupOf({ group: { [by]: 1 } }, by).only, groupOf({ group: { absent: [by] } }, by).only], [null, null]);
});

test('types and the rest are groups too', () => {
  const { name, type, only, others } = groupOf({ type: 'a"b' }, 'type');
  assert.deepEqual([name, type, only, others], ['a"b', 'a"b', 'type:="a\\"b"', '-type:="a\\"b"']);
  assert.deepEqual(groupOf({ group: {}, other: true }, HOST), { name: 'all others', only: null, others: null, apart: false });
  assert.equal(groupOf({ group: {} }, 'none').name, 'all events');
});

test('asks for as many groups as can be seen, and for none without a break-down', () => {
  assert.deepEqual(groupingOf('none'), {});
  assert.deepEqual(groupingOf(HOST), { by: HOST, groups: 10 });
  assert.deepEqual([isAsked({ measure: 'p99', number: '' }), isAsked({ measure: 'count', number: '' })], [false, true]);
  assert.deepEqual([isUsual({ by: 'type', measure: 'count' }), isUsual({ by: HOST, measure: 'count' })], [true, false]);
  assert.equal(measureName({ measure: 'p99', number: 'data.ms' }), 'p99 of ms');
});

const ANSWER = { step_ms: 60_000, from: '2026-11-20T08:00:00Z', total: 14 };

test('groups stack with the greatest at the bottom, and what has no value of its own on top', () => {
  const series = [{ ...group('a'), counts: [1, 0] }, { group: {}, other: true, counts: [9, 0] }, { ...group('b'), counts: [1, 3] }];
  const stack = stackGroups({ ...ANSWER, series }, HOST, 180_000, Infinity);
  assert.deepEqual(stack.layers.map(({ name }) => name), ['b', 'a', 'all others']);
  assert.deepEqual(stack.totals, [11, 3, 0]);
  assert.deepEqual(stack.peak, { index: 0, count: 11 });
});

test('a figure has a line for each group with numbers, and nothing where there is none', () => {
  const series = [{ ...group('a'), p99: [1.5, null] }, { ...group('b'), p99: [null, null] }, { ...group('c'), p99: [new ExactNumber('9007199254740993'), 2] }];
  const lines = linesOf({ ...ANSWER, series }, HOST, 'p99', 180_000, Infinity);
  assert.deepEqual(lines.layers.map(({ name, values }) => [name, values]), [['a', [1.5, null, null]], ['c', [9007199254740992, 2, null]]]);
  assert.equal(lines.totals, undefined);
});
