import assert from 'node:assert/strict';
import { test } from 'node:test';

import { marksOf, piecesOf } from '../../main/web/model/filter/marks.js';

const piecesFor = (filter, text, name = 'data.path') => piecesOf(text, name, marksOf({ contains: '', icase: false, where: '', ...filter }));

test('a text that was searched is marked wherever it stands', () => {
  assert.deepEqual(piecesFor({ contains: 'cart' }, '/cart/cart1'), ['/', 'cart', '/', 'cart', '1']);
  assert.deepEqual(piecesFor({ contains: 'CART' }, '/cart'), ['/cart']);
  assert.deepEqual(piecesFor({ contains: 'CART', icase: true }, '/cart'), ['/', 'cart', '']);
  assert.deepEqual(piecesFor({ contains: 'a.b' }, 'axb a.b'), ['axb ', 'a.b', '']);
});

test('values that a field is compared with are marked in that field', () => {
  const marked = [
    ['data.path == "/a"', '/a', ['', '/a', '']],
    ['data.path == "/a"', '"/a"', ['"', '/a', '"']],
    ['data.path == "/a"', '/ab', ['/ab']],
    ['data.other == "/a"', '/a', ['/a']],
    ['data.`path` == "/a"', '/a', ['', '/a', '']],
    ['data["path"] == "/a"', '/a', ['', '/a', '']],
    ['data.path in ["/a", "/b"]', '/b', ['', '/b', '']],
    ['data.path.startsWith("/a") && data.x == 1', '/abc', ['', '/a', 'bc']],
    ['!(data.path == "/a")', '/a', ['/a']],
    ['data.path != "/a"', '/a', ['/a']],
    ['data.path == ', '/a', ['/a']],
  ];
  for (const [where, text, pieces] of marked) assert.deepEqual(piecesFor({ where }, text), pieces, where);
  assert.deepEqual(piecesFor({ where: 'data.status == 500' }, '500', 'data.status'), ['', '500', '']);
  assert.deepEqual(piecesFor({ where: 'type == "a"' }, 'a', 'type'), ['', 'a', '']);
});

test('marks are bounded, and without a filter there are none', () => {
  assert.equal(marksOf({ contains: '', icase: false, where: '' }), null);
  assert.ok(piecesFor({ contains: 'a' }, 'a'.repeat(10_000)).length <= 201);
});

test('the case is left aside in the searched text alone', () => {
  const marks = { text: 'out', icase: true, fields: new Map([['data.path', [{ text: 'api', whole: false }]]]) };
  assert.deepEqual(piecesOf('API api OUT', 'data.path', marks), ['API ', 'api', ' ', 'OUT', '']);
});
