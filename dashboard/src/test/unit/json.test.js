import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parseExact, writeExact } from '../../main/web/api/exact-json.js';
import { previewOf } from '../../main/web/model/json-preview.js';

test('a preview is a line of fields with their kinds', () => {
  assert.deepEqual(previewOf({ data: { path: '/a', ms: 1.5, ok: true, none: null, tags: [1, 2], user: { id: 1 }, empty: {} } }), [
    ['path', '/a', 'string'],
    ['ms', '1.5', 'number'],
    ['ok', 'true', 'boolean'],
    ['none', 'null', 'null'],
    ['tags', '[2]', 'array'],
    ['user', '{…}', 'object'],
    ['empty', '{}', 'object'],
  ]);
  assert.deepEqual(previewOf({ data: 'text' }), [['', 'text', 'string']]);
});

test('a preview leaves out what the event says already', () => {
  const event = { type: 'page_view', time: '2026-11-22T16:00:10.5000000Z' };
  const fields = (data) => previewOf({ ...event, data }).map(([name]) => name);
  assert.deepEqual(fields({ type: 'page_view', time: '2026-11-22T16:00:10.5Z', ms: 3 }), ['ms']);
  assert.deepEqual(fields({ type: 'order', time: '2026-11-22T16:00:10.50005Z' }), ['type', 'time']);
  assert.deepEqual(fields({ type: null, time: 1763827210 }), ['type', 'time']);
  assert.deepEqual(previewOf({ ...event, time: '2026-11-22T16:01:00.0000000Z', data: { time: '2026-11-22T16:01:00Z' } }), []);
});

test('a preview of a huge payload stays small', () => {
  const huge = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`field${i}`, 'x'.repeat(5000)]));
  assert.ok(JSON.stringify(previewOf({ data: huge })).length < 1000);
});

test('JSON reads and writes back', () => {
  const text = '{"a":[1,2.5,-3e10],"b":{"c":null,"d":"12345678901234567890"},"e":0.1}';
  assert.deepEqual(JSON.parse(writeExact(parseExact(text))), JSON.parse(text));
});
