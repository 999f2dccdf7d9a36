import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parseExact, writeExact } from '../../main/web/api/exact-json.js';
import { previewOf, sameFields } from '../../main/web/model/json-preview.js';

test('a preview is a line of fields with their kinds', () => {
  assert.deepEqual(previewOf({ data: { path: '/a', ms: 1.5, ok: true, none: null, tags: [1, 2], user: { id: 1 }, empty: {} } }), [
    ['path', '/a', 'string'],
    ['ms', '1.5', 'number'],
    ['ok', 'true', 'boolean'],
    ['none', 'null', 'null'],
    ['tags', '[1, 2]', 'array'],
    ['user.id', '1', 'number'],
    ['empty', '{}', 'object'],
  ]);
  assert.deepEqual(previewOf({ data: 'text' }), [['', 'text', 'string']]);
});

test('a preview leaves out what the event says already', () => {
  const event = { type: 'page_view', time: '2026-11-22T16:00:10.5000000Z' };
  const fields = (data) => previewOf({ ...event, data }).map(([name]) => name);
  assert.deepEqual(fields({ type: 'page_view', time: '2026-11-22T16:00:10.5Z', ms: 3 }), ['ms']);
  assert.deepEqual(fields({ type: 'order', time: '2026-11-22T16:00:10.50005Z' }), ['type', 'time']);
  assert.deepEqual(fields({ type: null, time: 1763827211 }), ['type', 'time']);
  assert.deepEqual(fields({ kind: 'page_view', at: Date.parse(event.time), ts: Date.parse(event.time) / 1000, ns: Date.parse(event.time) * 1e6, n: 1 }), ['n']);
  assert.deepEqual(fields({ nested: { kind: 'page_view' } }), ['nested.kind']);
  assert.deepEqual(previewOf({ ...event, id: 'x-1', data: { key: 'x-1', n: 1 } }).map(([name]) => name), ['n']);
  assert.deepEqual(previewOf({ ...event, time: '2026-11-22T16:01:00.0000000Z', data: { time: '2026-11-22T16:01:00Z' } }), []);
});

test('a preview leaves out what columns show', () => {
  const columns = new Set(['data.path', 'data.user.id']);
  assert.deepEqual(previewOf({ data: { path: '/a', ms: 3, user: { id: 1, plan: 'free' } } }, { columns }).map(([name]) => name), ['ms', 'user.plan']);
});

test('a preview begins with level and message, then with what differs', () => {
  const events = [1, 2].map((n) => ({ data: { host: 'web-1', id: `x${n}`, n, msg: 'out of stock', severity: 'WARN', nested: { same: true } } }));
  const same = sameFields(events);
  assert.deepEqual([...same].sort(), ['data.host', 'data.msg', 'data.nested.same', 'data.severity']);
  assert.deepEqual(previewOf(events[0], { same }), [
    ['severity', 'WARN', 'level'], ['msg', 'out of stock', 'message'], ['n', '1', 'number'], ['id', 'x1', 'string'], ['host', 'web-1', 'string'], ['nested.same', 'true', 'boolean'],
  ]);
  assert.deepEqual([...sameFields([events[0]])], []);
  assert.deepEqual([...sameFields([events[0], { data: { n: 1 } }])], ['data.n']);
});

test('a level is shown first, whatever its spelling', () => {
  assert.deepEqual(previewOf({ data: { n: 1, Lvl: 'wrn' } })[0], ['Lvl', 'wrn', 'level']);
});

test('a preview of a huge payload stays small', () => {
  const huge = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`field${i}`, 'x'.repeat(5000)]));
  assert.ok(JSON.stringify(previewOf({ data: huge })).length < 1000);
});

test('JSON reads and writes back', () => {
  const text = '{"a":[1,2.5,-3e10],"b":{"c":null,"d":"12345678901234567890"},"e":0.1}';
  assert.deepEqual(JSON.parse(writeExact(parseExact(text))), JSON.parse(text));
});
