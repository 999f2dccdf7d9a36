import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Hour } from '../../main/web/model/time/hour.js';
import { differs, fieldMillis, fieldText, localInstant, localSpan, offsetText } from '../../main/web/model/time/local-time.js';
import { parseSpan } from '../../main/web/model/time/range.js';

const hour = Hour.parse('2026-11-20T08');

test('a local time names its place and its distance from UTC', () => {
  assert.equal(localSpan(hour, 'America/New_York'), '03:00–04:00 in New York (UTC−5)');
  assert.equal(localSpan(hour, 'Asia/Kolkata'), '13:30–14:30 in Kolkata (UTC+5:30)');
  assert.equal(localInstant('2026-11-20T08:00:00.3310000Z', 'America/New_York'), 'Fri 20 Nov 2026, 03:00:00.331 in New York (UTC−5)');
});

test('the day stands there where it is another', () => {
  assert.equal(localSpan(Hour.parse('2026-11-20T02'), 'America/New_York'), '19 Nov 21:00–22:00 in New York (UTC−5)');
  assert.equal(localSpan(Hour.parse('2026-11-20T04'), 'America/New_York'), '19 Nov 23:00–20 Nov 00:00 in New York (UTC−5)');
});

test('where clocks show UTC there is nothing to tell', () => {
  for (const zone of ['UTC', 'Etc/UTC', 'Africa/Abidjan']) {
    assert.equal(differs(hour.fromMillis, zone), false, zone);
    assert.equal(localSpan(hour, zone), null, zone);
  }
  assert.equal(offsetText(Date.parse('2026-07-01T00:00:00Z'), 'Europe/London'), 'UTC+1');
});

test('fields read back what they show, also on days when clocks are turned', () => {
  const { fromMillis, toMillis } = parseSpan('2026-03-28T00:00:00Z', '2026-03-30T00:00:00Z');
  for (const zone of ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata']) {
    for (let at = fromMillis; at < toMillis; at += 1_800_000) assert.equal(fieldMillis(fieldText(at, zone), zone), at, `${zone} ${new Date(at).toISOString()}`);
  }
  assert.equal(fieldMillis('', 'UTC'), null);
});

test('of an hour that comes twice, the first is meant', () => {
  assert.equal(new Date(fieldMillis('2026-10-25T02:30:00', 'Europe/Berlin')).toISOString(), '2026-10-25T00:30:00.000Z');
});
