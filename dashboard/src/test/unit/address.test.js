import assert from 'node:assert/strict';
import { test } from 'node:test';

import { FIRST_VIEW, readView, writeView } from '../../main/web/state/address.js';

test('an address that says nothing is the first view', () => {
  assert.deepEqual(readView(''), { ...FIRST_VIEW });
  assert.equal(writeView(FIRST_VIEW), '?');
});

test('what is written reads back the same, any type included', () => {
  const types = ['checkout', 'a&b=c', 'ü|%', 'two words', '?#'];
  const search = writeView({ ...FIRST_VIEW, ...readView('?hour=2026-11-20T08'), types, order: 'desc', show: 'rows' });
  const view = readView(search);
  assert.equal(view.hour.text, '2026-11-20T08');
  assert.deepEqual(view.types, types);
  assert.equal(view.order, 'desc');
  assert.equal(view.show, 'rows');
});

test('a link stays short and readable', () => {
  assert.equal(writeView(readView('?order=asc&hour=2026-11-20T08&show=events&type=a&type=a')), '?hour=2026-11-20T08&type=a');
});

test('an hour that is none is kept to be told', () => {
  const view = readView('?hour=yesterday');
  assert.equal(view.hour, null);
  assert.equal(view.badHour, 'yesterday');
});

test('an unknown order or panel falls back', () => {
  const view = readView('?order=sideways&show=everything');
  assert.equal(view.order, 'asc');
  assert.equal(view.show, 'events');
});
