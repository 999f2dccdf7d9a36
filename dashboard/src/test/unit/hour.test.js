import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Hour } from '../../main/web/model/time/hour.js';

test('reads and writes the text form of the API', () => {
  for (const text of ['2026-11-20T08', '2000-01-01T00', '2099-12-31T23', '2024-02-29T12']) {
    assert.equal(Hour.parse(text).text, text);
  }
});

test('refuses what names no hour', () => {
  for (const text of [null, undefined, '', 'now', '2026-11-20', '2026-11-20T24', '2026-02-30T01', '2026-13-01T00', '2026-11-20T8', ' 2026-11-20T08']) {
    assert.equal(Hour.parse(text), null, String(text));
  }
});

test('is half-open', () => {
  const hour = Hour.parse('2026-11-20T08');
  assert.equal(hour.from, '2026-11-20T08:00:00Z');
  assert.equal(hour.to, '2026-11-20T09:00:00Z');
  assert.ok(hour.contains(hour.fromMillis));
  assert.ok(!hour.contains(hour.toMillis));
});

test('steps over days, months and years', () => {
  assert.equal(Hour.parse('2026-12-31T23').plus(1).text, '2027-01-01T00');
  assert.equal(Hour.parse('2024-03-01T00').plus(-1).text, '2024-02-29T23');
  assert.equal(Hour.parse('2026-11-20T08').atHour(23).text, '2026-11-20T23');
  assert.equal(Hour.parse('2026-11-20T08').onDay('2026-01-02').text, '2026-01-02T08');
  assert.equal(Hour.parse('2026-11-20T08').onDay(''), null);
});

test('reads aloud in UTC whatever the zone of the machine', () => {
  const hour = Hour.parse('2026-11-20T23');
  assert.equal(hour.span, '23:00–24:00');
  assert.equal(hour.longDay, 'Friday 20 November 2026');
  assert.equal(hour.shortDay, 'Fri 20 Nov 2026');
});
