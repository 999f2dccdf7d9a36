import assert from 'node:assert/strict';
import { test } from 'node:test';

import { FIRST_VIEW, readView, writeView } from '../../main/web/state/address.js';

test('an address that says nothing is the first view', () => {
  assert.deepEqual(readView(''), { ...FIRST_VIEW });
  assert.equal(writeView(FIRST_VIEW), '?');
});

test('what is written reads back the same, any type included', () => {
  const types = ['checkout', 'a&b=c', 'ü|%', 'two words', '?#'];
  const search = writeView({ ...FIRST_VIEW, ...readView('?hour=2026-11-20T08'), types, order: 'asc', ordered: true, show: 'fields' });
  const view = readView(search);
  assert.equal(view.span.text, '2026-11-20T08');
  assert.deepEqual(view.types, types);
  assert.equal(view.order, 'asc');
  assert.equal(view.show, 'fields');
});

test('a link stays short and readable', () => {
  assert.equal(writeView(readView('?hour=2026-11-20T08&show=events&type=a&type=a')), '?hour=2026-11-20T08&type=a');
});

test('a range, a filter, columns and an event read back the same', () => {
  const q = 'user-agent:="a&b" ms>=1.5 100% +x "ü"';
  const written = '?from=2026-11-20T08:05:00Z&to=2026-11-20T08:07:30.250Z';
  const search = writeView({ ...readView(written), q, columns: ['data.path', 'data.a.b'], event: { id: 'x-1', type: 'a b' } });
  const view = readView(search);
  assert.deepEqual([view.span.from, view.span.to], ['2026-11-20T08:05:00Z', '2026-11-20T08:07:30.250Z']);
  assert.deepEqual([view.q, view.columns, view.event], [q, ['data.path', 'data.a.b'], { id: 'x-1', type: 'a b' }]);
  assert.equal(writeView(view), search);
});

test('columns have one spelling, and a list of them is read too', () => {
  const view = readView('?hour=2026-11-20T08&column=data.a&columns=data.b,data.a&columns=data.c');
  assert.deepEqual(view.columns, ['data.a', 'data.b', 'data.c']);
  assert.equal(writeView(view), '?hour=2026-11-20T08&column=data.a&column=data.b&column=data.c');
});

test('the chart and the context read back the same, and are left out as they are at first', () => {
  const search = '?hour=2026-11-20T08&by=data.host&measure=p99&number=data.ms&scale=log&event=x-1&of=a&context=on';
  assert.equal(writeView(readView(search)), search);
  assert.equal(writeView(readView('?hour=2026-11-20T08&by=type&measure=count&scale=linear&context=on')), '?hour=2026-11-20T08');
  assert.deepEqual(['measure=p42', 'scale=cubic'].map((bad) => writeView(readView(`?hour=2026-11-20T08&${bad}`))), ['?hour=2026-11-20T08', '?hour=2026-11-20T08']);
});

test('a range that is one hour is that hour', () => {
  assert.equal(writeView(readView('?from=2026-11-20T08&to=2026-11-20T10:00:00%2B01:00')), '?hour=2026-11-20T08');
});

test('a span that ends now stays its length', () => {
  const now = Date.parse('2026-11-20T08:20:30Z');
  const view = readView('?last=15m&type=a', now);
  assert.deepEqual([view.span.from, view.span.to, view.last, view.badTime], ['2026-11-20T08:05:30Z', '2026-11-20T08:20:31Z', '15m', null]);
  assert.equal(writeView(view), '?last=15m&type=a');
  assert.equal(readView('?last=7d', now).span.from, '2026-11-13T08:00:00Z');
  for (const bad of ['0m', '15', '15 m', '-1h', '1y', '100000d']) assert.equal(readView(`?last=${bad}`, now).badTime, `last=${bad}`);
  assert.equal(readView('?hour=2026-11-20T08&last=15m', now).last, null);
});

test('a time that is none is kept to be told', () => {
  const bad = {
    '?hour=yesterday': 'hour=yesterday',
    '?from=2026-11-20T08': 'from=2026-11-20T08',
    '?from=2026-11-20T09&to=2026-11-20T08': 'from=2026-11-20T09, to=2026-11-20T08',
    '?from=2026-11-20&to=2026-11-21': 'from=2026-11-20, to=2026-11-21',
    '?from=1999-11-20T08&to=2026-11-21T08': 'from=1999-11-20T08, to=2026-11-21T08',
  };
  for (const [search, told] of Object.entries(bad)) {
    const { span, badTime } = readView(search);
    assert.deepEqual([span, badTime], [null, told]);
  }
});

test('an order stands in the address only if it was chosen', () => {
  assert.deepEqual([readView('?').order, readView('?', 0, 'asc').order], ['desc', 'asc']);
  assert.equal(readView('?order=desc', 0, 'asc').order, 'desc');
  assert.equal(writeView(readView('?type=a', 0, 'asc')), '?type=a');
  assert.equal(writeView(readView('?type=a&order=asc')), '?type=a&order=asc');
});

test('a panel leads to its page', () => {
  const placeOf = (search) => [readView(search).page, readView(search).show];
  assert.deepEqual(placeOf('?page=system'), ['system', 'health']);
  assert.deepEqual(placeOf('?show=health'), ['system', 'health']);
  assert.deepEqual(placeOf('?page=system&show=fields'), ['', 'fields']);
  assert.equal(writeView(readView('?show=sources')), '?page=system&show=sources');
});

test('an unknown order or panel falls back', () => {
  const view = readView('?order=sideways&show=everything');
  assert.equal(view.order, 'desc');
  assert.equal(view.show, 'events');
});
