import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Hour } from '../../main/web/model/time/hour.js';
import { FIRST_VIEW } from '../../main/web/state/address.js';
import { WISHES } from '../../main/web/state/wishes.js';

const hour = new Hour(Date.parse('2026-11-20T08:00:00Z'));
const state = { view: { ...FIRST_VIEW, q: 'a:=1', columns: ['data.a'] }, renewed: { last: '15m', span: hour } };

test('other types are asked for in a span that ends now, which is of now', () => {
  assert.deepEqual(WISHES.types(['b'], state), { last: '15m', span: hour, types: ['b'] });
});

test('a search that has no time keeps that of now, one with a length has its own', () => {
  assert.equal(WISHES.search('?type=a', state).span, hour);
  const { last, span } = WISHES.search('?last=6h&type=a', state);
  assert.deepEqual([last, Math.floor(span.lengthMillis / 3_600_000)], ['6h', 6]);
});

test('zooming out ends the live view', () => {
  const { span, last, live } = WISHES['zoom-out'](undefined, { view: { ...state.view, span: hour, live: true } });
  assert.deepEqual([span.lengthMillis, last, live], [2 * hour.lengthMillis, null, false]);
});

test('a search of the history leaves the columns as they are', () => {
  assert.equal('columns' in WISHES['search-again']('?type=a', state), false);
  assert.deepEqual(WISHES['search-again']('?type=a', state).types, ['a']);
  assert.deepEqual(WISHES.search('?type=a', state).columns, []);
});

test('a column is there once', () => {
  assert.deepEqual(WISHES.column('data.b', state), { columns: ['data.a', 'data.b'] });
  assert.deepEqual(WISHES.column('data.a', state), { columns: ['data.a'] });
});

test('what is looked at leads to the list of events', () => {
  for (const change of [WISHES.live(true, state), WISHES.together('data.a == 1', state), WISHES.around({ id: 'x' }, state)]) {
    assert.deepEqual([change.page, change.show], ['', 'events']);
  }
  assert.deepEqual(WISHES.event(null, state), { event: null, context: false });
});
