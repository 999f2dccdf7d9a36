import assert from 'node:assert/strict';
import { test } from 'node:test';

import { marksOf, piecesOf } from '../../main/web/model/filter/marks.js';

const mark = (field, text, whole = false) => ({ field, text, whole, words: false });
const words = (text, field = 'data') => ({ field, text, whole: false, words: true });
const piecesFor = (marks, text, name = 'data.path') => piecesOf(text, name, marksOf(marks));

test('parts that were searched are marked wherever they stand, in any case', () => {
  assert.deepEqual(piecesFor([mark('data', 'cart')], '/cart/Cart1'), ['/', 'cart', '/', 'Cart', '1']);
  assert.deepEqual(piecesFor([mark('data', 'a.b')], 'axb a.b'), ['axb ', 'a.b', '']);
  assert.deepEqual(piecesFor([mark('data', 'out'), mark('data', 'time out')], 'TIME OUT'), ['', 'TIME OUT', '']);
});

test('words are marked as the server finds them', () => {
  assert.deepEqual(piecesFor([words('cart')], '/cart/Cart1 CART'), ['/', 'cart', '/Cart1 ', 'CART', '']);
  assert.deepEqual(piecesFor([words('cart*')], '/Cart1 ecart'), ['/', 'Cart', '1 ecart']);
  assert.deepEqual(piecesFor([words('time-out')], 'Time: out, time it out, timeout'), ['', 'Time: out', ', time it out, timeout']);
  assert.deepEqual(piecesFor([words('über')], 'ÜBER überall'), ['', 'ÜBER', ' überall']);
  assert.deepEqual(piecesFor([words('拒絕')], '連線被拒絕。'), ['連線被', '拒絕', '。']);
  assert.deepEqual(piecesFor([words('=>')], 'a=>b'), ['a', '=>', 'b']);
  assert.deepEqual(piecesFor([words('a b*', 'data.path')], 'a+b* a b1'), ['', 'a+b', '* ', 'a b', '1']);
});

test('values that a field is compared with are marked in that field', () => {
  const marked = [
    [mark('data.path', '/a', true), '/a', ['', '/a', '']],
    [mark('data.path', '/a', true), '"/a"', ['"', '/a', '"']],
    [mark('data.path', '/a', true), '/ab', ['/ab']],
    [mark('data.path', '/A', true), '/a', ['/a']],
    [mark('data.other', '/a', true), '/a', ['/a']],
    [mark('data.path', '/a'), '/abc', ['', '/a', 'bc']],
    [mark('data.path', ''), '/abc', ['/abc']],
  ];
  for (const [one, text, pieces] of marked) assert.deepEqual(piecesFor([one], text), pieces, JSON.stringify(one));
  assert.deepEqual(piecesFor([mark('data.status', '500', true)], '500', 'data.status'), ['', '500', '']);
  assert.deepEqual(piecesFor([mark('type', 'a', true)], 'a', 'type'), ['', 'a', '']);
});

test('marks are bounded, and without a filter there are none', () => {
  assert.equal(marksOf([]), null);
  assert.ok(piecesFor([mark('data', 'a')], 'a'.repeat(10_000)).length <= 201);
});
