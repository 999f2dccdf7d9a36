import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fieldText } from '../../main/web/model/time/local-time.js';
import { spanOfFields } from '../../main/web/model/time/span-fields.js';

const read = (from, to, zone = 'UTC') => spanOfFields(from, to, zone).span?.text;

test('two fields name a span, by the clock of the zone', () => {
  assert.equal(read('2026-11-20 08:05', '2026-11-20T08:06:30.5'), '2026-11-20T08:05:00Z/2026-11-20T08:06:30.500Z');
  assert.equal(read('2026-11-20', '2026-11-21', 'America/New_York'), '2026-11-20T05:00:00Z/2026-11-21T05:00:00Z');
  assert.equal(read('2026-11-20 08:00', '2026-11-20 24:00'), '2026-11-20T08:00:00Z/2026-11-21T00:00:00Z');
});

test('a span of less than a second reads back from its fields', () => {
  const [from, to] = ['2026-11-20T08:00:00.120Z', '2026-11-20T08:00:00.480Z'];
  const fields = [from, to].map((time) => fieldText(Date.parse(time), 'Europe/Berlin'));
  assert.deepEqual(fields, ['2026-11-20T09:00:00.120', '2026-11-20T09:00:00.480']);
  assert.equal(read(...fields, 'Europe/Berlin'), `${from}/${to}`);
});

test('what is no time, or beyond the years that are kept, is said to be wrong', () => {
  const wrong = (from, to) => spanOfFields(from, to, 'UTC').wrong;
  assert.match(wrong('yesterday', '2026-11-20'), /“yesterday” is no time/);
  assert.match(wrong('2026-02-01', '2026-02-31'), /“2026-02-31” is no time/);
  assert.match(wrong('2026-11-20', '2026-11-20'), /later/);
  assert.match(wrong('1999-12-31', '2026-11-20'), /“1999-12-31” is not within the years 2000 to 2099/);
  assert.match(wrong('2026-11-20', '2100-01-01 00:01'), /“2100-01-01 00:01” is not within/);
  assert.equal(wrong('2000-01-01', '2100-01-01'), undefined);
});
