import assert from 'node:assert/strict';
import { test } from 'node:test';

import { actOf, isPause, SHORTCUTS } from '../../main/web/model/shortcuts.js';

test('a key asks for its act', () => {
  assert.deepEqual(['/', 'j', 'k', 'n', '?', 'Escape'].map((key) => actOf({ key }, false)), ['filter', 'next', 'before', 'more', 'help', 'stop']);
  assert.equal(actOf({ key: 'x' }, false), null);
  assert.equal(actOf({ key: 'Enter' }, false), null, 'the row in focus takes it');
});

test('keys are left alone while something is written, and with a modifier', () => {
  assert.equal(actOf({ key: 'j' }, true), null);
  for (const modifier of ['ctrlKey', 'metaKey', 'altKey', 'isComposing']) assert.equal(actOf({ key: 'j', [modifier]: true }, false), null);
});

test('p pauses, and so does the space bar where nothing else takes it', () => {
  const on = (selector) => ({ closest: (all) => (all.includes(selector) ? {} : null) });
  assert.deepEqual(['p', ' ', 'q'].map((key) => isPause({ key, target: on('main') })), [true, true, false]);
  assert.deepEqual([isPause({ key: ' ', target: on('button') }), isPause({ key: 'p', target: on('button') })], [false, true]);
  assert.equal(isPause({ key: 'p', target: on('textarea') }), false);
  assert.equal(isPause({ key: 'p', ctrlKey: true, target: on('main') }), false);
});

test('every key is there once, and says what it does', () => {
  assert.equal(new Set(SHORTCUTS.map(({ key }) => key)).size, SHORTCUTS.length);
  assert.ok(SHORTCUTS.every(({ says }) => says.length > 0));
});
