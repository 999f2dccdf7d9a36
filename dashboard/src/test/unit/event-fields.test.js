import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fieldsOfEvent, folded, LINES_SHOWN, namedField, needsQuotes } from '../../main/web/model/event-fields.js';
import { ExactNumber } from '../../main/web/model/exact-number.js';

const EVENT = { id: 'e-1', type: 'checkout', time: '2026-11-22T16:00:10.5000000Z' };
const rowsOf = (data) => fieldsOfEvent({ ...EVENT, data }).fields.map(({ name, value }) => [name, value]);

test('nested objects stand by their path, empty ones as they are', () => {
  assert.deepEqual(rowsOf({ http: { status: 500, headers: { 'user-agent': 'curl' } }, none: {} }), [['http.status', 500], ['http.headers.user-agent', 'curl'], ['none', {}]]);
});

test('a list of plain values is one row, the members of another list stand by their place', () => {
  assert.deepEqual(rowsOf({ tags: ['eu', null], empty: [], items: [{ sku: 'A', options: ['xl'] }, 7] }), [
    ['tags', ['eu', null]], ['empty', []], ['items[0].sku', 'A'], ['items[0].options', ['xl']], ['items[1]', 7],
  ]);
});

test('a payload that is no object is a row too', () => {
  assert.deepEqual(rowsOf('text'), [['data', 'text']]);
  assert.deepEqual(rowsOf([{ a: 1 }]), [['data[0].a', 1]]);
});

test('time, type and id stand once, and what repeats them is named beside', () => {
  const { fields, also } = fieldsOfEvent({ ...EVENT, data: { type: 'checkout', time: '2026-11-22T16:00:10.5Z', ts: Date.parse(EVENT.time), key: 'e-1', kind: 'checkout', n: 1 } });
  assert.deepEqual(fields.map(({ name }) => name), ['kind', 'n']);
  assert.deepEqual(also, { time: ['time', 'ts'], type: ['type'], id: ['key'] });
});

test('a field named as what the event has, but with another value, is told apart', () => {
  assert.deepEqual(rowsOf({ id: 'mine', type: 'other', nested: { id: 'x' } }), [['data.id', 'mine'], ['data.type', 'other'], ['nested.id', 'x']]);
});

test('rows have the names of the API, or their path within a list', () => {
  const names = fieldsOfEvent({ ...EVENT, data: { 'a.b': 1, id: 2, list: [{ c: 3 }] } }).fields.map(namedField);
  assert.deepEqual(names, ['data.a.b', 'data.id', 'list[0].c']);
});

test('long numbers keep their digits', () => {
  const big = new ExactNumber('9007199254740993');
  const rows = rowsOf({ big, list: [big] });
  assert.deepEqual(rows.map(([, value]) => String(value)), ['9007199254740993', '9007199254740993']);
});

test('a text of more than twenty lines is folded, and its last line end is no line', () => {
  const lines = (n) => Array.from({ length: n }, (_, i) => `\tat line ${i}`);
  assert.equal(folded(`${lines(LINES_SHOWN).join('\n')}\n`), null);
  const long = folded(`${lines(43).join('\r\n')}\n`);
  assert.deepEqual([long.shown, long.lines, long.byLines], [lines(LINES_SHOWN).join('\r\n'), 43, true]);
});

test('a long text without lines is folded by its characters', () => {
  const { shown, characters, byLines } = folded('x'.repeat(12_000));
  assert.deepEqual([shown.length, characters, byLines], [2_000, 12_000, false]);
  assert.equal(folded('x'.repeat(2_000)), null);
});

test('lines that are very long are folded by characters too', () => {
  const { shown, byLines } = folded(Array.from({ length: 30 }, () => 'y'.repeat(10_000)).join('\n'));
  assert.deepEqual([shown.length, byLines], [8_000, false]);
});

test('texts that would read as another value, or as nothing, have quotes', () => {
  assert.deepEqual(['500', '-1.5e3', 'true', 'null', '', ' ', ' x '].map(needsQuotes), Array(7).fill(true));
  assert.deepEqual(['500 ms', '01234x', 'yes', 'a\n', '\tat a\n\tat b'].map(needsQuotes), Array(5).fill(false));
});
