import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readView } from '../../main/web/state/address.js';
import { ASKED_MAX, openedBy, SAVED_MAX, Searches, searchOf, wordsOf } from '../../main/web/state/searches.js';

const host = { requestUpdate() {} };
const view = (search) => readView(search, Date.parse('2026-11-20T08:00:00Z'));

test('a search is the selection and how it is shown, without a time that is over', () => {
  assert.equal(searchOf(view('?hour=2026-11-20T08&type=a&q=x%3E1&column=data.x&page=system&event=e&tz=local')), '?type=a&q=x%3E1&column=data.x');
  assert.equal(searchOf(view('?last=15m&q=cart')), '?last=15m&q=cart');
  assert.equal(searchOf(view('?hour=2026-11-20T08')), '?');
});

test('opened, it keeps the time of the view unless it has one', () => {
  assert.equal('span' in openedBy('?type=a', 0), false);
  const opened = openedBy('?last=15m&type=a', Date.parse('2026-11-20T08:20:30Z'));
  assert.deepEqual([opened.last, opened.span.to, opened.live, opened.types], ['15m', '2026-11-20T08:20:31Z', false, ['a']]);
});

test('a search reads as its filter and types', () => {
  assert.equal(wordsOf('?q=cart+status%3E%3D500&type=a&type=b'), 'cart status>=500 · a, b');
  assert.equal(wordsOf('?column=data.x'), 'All events');
});

test('names are kept once, in their order, and so many', () => {
  const searches = new Searches(host);
  searches.save('b', '?type=b');
  searches.save('a', '?type=a');
  searches.save('b', '?type=c');
  assert.deepEqual(searches.saved, [{ name: 'a', search: '?type=a' }, { name: 'b', search: '?type=c' }]);
  searches.remove('a');
  assert.deepEqual(searches.saved.map(({ name }) => name), ['b']);
  for (let i = 0; i < 150; i++) searches.save(`n${i}`, '?type=a');
  assert.deepEqual([searches.saved.length, searches.full], [SAVED_MAX, true]);
});

test('what was asked is kept once, the newest first, and so much', () => {
  const searches = new Searches(host);
  for (const search of ['?hour=2026-11-20T08', '?type=a', '?type=b', '?type=a', '?type=a&hour=2026-11-20T09']) searches.note(view(search));
  assert.deepEqual(searches.asked, ['?type=a', '?type=b']);
  for (let i = 0; i < 80; i++) searches.note(view(`?type=t${i}`));
  assert.deepEqual([searches.asked.length, searches.asked[0]], [ASKED_MAX, '?type=t79']);
  searches.forget();
  assert.deepEqual(searches.asked, []);
});

test('two tabs keep what the other one has kept', (t) => {
  const kept = new Map();
  const before = Object.getOwnPropertyDescriptor(globalThis, 'localStorage');
  t.after(() => (before ? Object.defineProperty(globalThis, 'localStorage', before) : delete globalThis.localStorage));
  const value = { getItem: (key) => kept.get(key) ?? null, setItem: (key, text) => kept.set(key, text) };
  Object.defineProperty(globalThis, 'localStorage', { value, configurable: true });
  const [one, other] = [new Searches(host), new Searches(host)];
  one.save('a', '?type=a');
  other.save('b', '?type=b');
  one.note(view('?type=a'));
  other.note(view('?type=b'));
  one.remove('a');
  const { saved, asked } = new Searches(host);
  assert.deepEqual([saved.map(({ name }) => name), asked], [['b'], ['?type=b', '?type=a']]);
  value.setItem = () => assert.fail('no room');
  one.save('c', '?type=c');
  one.save('d', '?type=d');
  assert.deepEqual(one.saved.map(({ name }) => name), ['b', 'c', 'd']);
});
