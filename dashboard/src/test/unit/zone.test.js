import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';

import { clock, dateClock, dayClock } from '../../main/web/model/format.js';
import { Hour } from '../../main/web/model/time/hour.js';
import { DAY_MILLIS, spanOf } from '../../main/web/model/time/range.js';
import { barText, markText } from '../../main/web/model/time/steps.js';
import { shownZone, showZone, wall, wallSpan, zoneName } from '../../main/web/model/time/zone.js';

const NEW_YORK = 'America/New_York';
const KOLKATA = 'Asia/Kolkata';

afterEach(() => showZone('utc'));

test('UTC is shown unless the reader wants another clock', () => {
  assert.deepEqual([shownZone(), zoneName()], ['UTC', 'UTC']);
  assert.equal(zoneName(NEW_YORK), 'New York');
});

test('times keep their digits in every zone', () => {
  const time = '2026-11-20T03:30:00.1234567Z';
  assert.equal(clock(time), '03:30:00.1234567');
  assert.equal(clock(time, KOLKATA), '09:00:00.1234567');
  assert.equal(dayClock(time, NEW_YORK), '19 Nov 22:30:00.1234567');
  assert.equal(dateClock(time, NEW_YORK), '19 Nov 2026 22:30:00.1234567');
});

test('spans read by the clock of their zone, in summer and winter', () => {
  assert.equal(wallSpan(new Hour(Date.parse('2026-11-20T08:00:00Z')), NEW_YORK).title('New York'), 'Friday 20 November 2026, 03:00–04:00 New York');
  assert.equal(wallSpan(new Hour(Date.parse('2026-07-20T08:00:00Z')), NEW_YORK).span, '04:00–05:00');
  assert.equal(wallSpan(new Hour(Date.parse('2026-11-20T08:00:00Z')), KOLKATA).span, '13:30–14:30');
  const over = spanOf(Date.parse('2026-11-20T22:00:00Z'), Date.parse('2026-11-21T02:00:00Z'));
  assert.deepEqual([over.isWithinDay, wallSpan(over, NEW_YORK).isWithinDay], [false, true]);
});

test('where clocks are turned back, a span names what they are apart from UTC', () => {
  const hour = new Hour(Date.parse('2026-10-25T00:00:00Z'));
  const span = wallSpan(hour, 'Europe/Berlin');
  assert.equal(span.title('Berlin'), 'Sunday 25 October 2026, 02:00 (UTC+2)–02:00 (UTC+1) Berlin');
  assert.equal(span.within('Berlin'), 'between 02:00 (UTC+2) and 02:00 (UTC+1) Berlin on Sunday 25 October 2026');
  assert.deepEqual([span.isWithinDay, span.isWithinYear], [true, true]);
  assert.equal(wallSpan(hour.plus(1), 'Europe/Berlin').span, '02:00–03:00');
});

test('an instant is moved by the offset that holds then', () => {
  const turn = Date.parse('2026-11-01T06:00:00Z');
  assert.equal(new Date(wall(turn - 1, NEW_YORK)).toISOString(), '2026-11-01T01:59:59.999Z');
  assert.equal(new Date(wall(turn, NEW_YORK)).toISOString(), '2026-11-01T01:00:00.000Z');
});

test('bars and marks are of the zone shown', () => {
  const midnight = Date.parse('2026-11-20T00:00:00Z');
  assert.deepEqual([barText(midnight, DAY_MILLIS, 30 * DAY_MILLIS), markText(midnight, 2 * DAY_MILLIS)], ['20 Nov', '20 Nov']);
});
