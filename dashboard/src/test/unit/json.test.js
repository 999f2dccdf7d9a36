import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parseExact, writeExact } from '../../main/web/api/exact-json.js';
import { previewOf } from '../../main/web/model/json-preview.js';

test('a preview is a line of fields with their kinds', () => {
  assert.deepEqual(previewOf({ path: '/a', ms: 1.5, ok: true, none: null, tags: [1, 2], user: { id: 1 }, empty: {} }), [
    ['path', '/a', 'string'],
    ['ms', '1.5', 'number'],
    ['ok', 'true', 'boolean'],
    ['none', 'null', 'null'],
    ['tags', '[2]', 'array'],
    ['user', '{…}', 'object'],
    ['empty', '{}', 'object'],
  ]);
  assert.deepEqual(previewOf('text'), [['', 'text', 'string']]);
});

test('a preview of a huge payload stays small', () => {
  const huge = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`field${i}`, 'x'.repeat(5000)]));
  assert.ok(JSON.stringify(previewOf(huge)).length < 1000);
});

test('JSON reads and writes back', () => {
  const text = '{"a":[1,2.5,-3e10],"b":{"c":null,"d":"12345678901234567890"},"e":0.1}';
  assert.deepEqual(JSON.parse(writeExact(parseExact(text))), JSON.parse(text));
});
