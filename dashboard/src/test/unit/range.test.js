import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Hour } from '../../main/web/model/time/hour.js';
import { localSpan } from '../../main/web/model/time/local-time.js';
import { DAY_MILLIS, LAST_MILLIS, parseSpan, Range, spanOf } from '../../main/web/model/time/range.js';
import { barText, markText, stepName, stepOf } from '../../main/web/model/time/steps.js';

const span = (from, to) => parseSpan(`2026-11-${from}Z`, `2026-11-${to}Z`);

test('reads aloud within a day and over several', () => {
  const within = span('20T08:05:00', '20T08:07:30');
  assert.equal(within.span, '08:05–08:07:30');
  assert.deepEqual(within.title(), 'Friday 20 November 2026, 08:05–08:07:30 UTC');
  assert.equal(within.within(), 'between 08:05 and 08:07:30 UTC on Friday 20 November 2026');
  const over = span('20T22:00:00', '21T02:00:00');
  assert.equal(over.span, '20 Nov 22:00 – 21 Nov 02:00');
  assert.deepEqual(over.title(), '20 Nov 22:00 – 21 Nov 02:00 UTC 2026');
  assert.equal(span('20T00:00:00', '21T00:00:00').span, '00:00–24:00');
});

test('names the years where they differ, and never one for both', () => {
  const years = parseSpan('2018-01-01T00', '2026-12-01T00');
  assert.deepEqual(years.title(), '1 Jan 2018 00:00 – 1 Dec 2026 00:00 UTC');
  assert.deepEqual([years.shortDay, years.isWithinYear], ['', false]);
  assert.equal(parseSpan('2026-12-01T00', '2027-01-01T00').span, '1 Dec 2026 00:00 – 1 Jan 2027 00:00');
  assert.equal(localSpan(years, 'America/New_York'), '31 Dec 2017 19:00–30 Nov 2026 19:00 in New York (UTC−5)');
});

test('is half-open and steps by its length, as hours do', () => {
  const range = span('20T08:10:00', '20T08:25:00');
  assert.ok(range.contains(range.fromMillis) && !range.contains(range.toMillis));
  assert.equal(range.plus(2).text, '2026-11-20T08:40:00Z/2026-11-20T08:55:00Z');
  assert.equal(range.onDay('2026-01-02').text, '2026-01-02T08:10:00Z/2026-01-02T08:25:00Z');
  assert.equal(range.onDay(''), null);
  assert.ok(range.plus(0).equals(range) && !range.equals(range.plus(1)));
});

test('an hour is an Hour, and nothing leaves the years of the API', () => {
  assert.ok(span('20T08:00:00', '20T09:00:00') instanceof Hour);
  assert.ok(span('20T08:00:01', '20T09:00:01') instanceof Range);
  assert.equal(spanOf(LAST_MILLIS - 5, LAST_MILLIS + DAY_MILLIS).toMillis, LAST_MILLIS);
});

test('what is asked of the API', () => {
  assert.deepEqual(span('20T08:00:00', '20T09:00:00').query, { hour: '2026-11-20T08' });
  assert.deepEqual(span('20T08:00:00', '20T08:00:00.050').query, { from: '2026-11-20T08:00:00Z', to: '2026-11-20T08:00:00.050Z' });
});

test('steps are the finest of at most a hundred bars', () => {
  const steps = [
    [span('20T08:00:00', '20T09:00:00'), '1m'],
    [span('20T08:00:00', '20T08:01:00'), '1s'],
    [span('20T08:00:00', '20T08:00:00.050'), '1ms'],
    [span('20T00:00:00', '21T00:00:00'), '15m'],
    [span('20T00:00:00', '27T00:00:00'), '2h'],
    [spanOf(0, LAST_MILLIS), '730d'],
  ];
  for (const [of, text] of steps) assert.equal(stepOf(of).text, text, of.text);
  assert.equal(stepName(60_000), 'minute');
  assert.equal(stepName(10_000), '10 s');
});

test('times of bars have the day where days differ', () => {
  const at = Date.parse('2026-11-20T08:05:00Z');
  assert.equal(barText(at, 60_000, 3_600_000), '08:05');
  assert.equal(barText(at + 1500, 500, 50_000), '08:05:01.500');
  assert.equal(barText(at, 900_000, 2 * DAY_MILLIS), '20 Nov 08:05');
  assert.equal(barText(Date.parse('2026-11-20T00:00:00Z'), DAY_MILLIS, 30 * DAY_MILLIS), '20 Nov');
  assert.equal(barText(at, 90 * DAY_MILLIS, 3_000 * DAY_MILLIS), '20 Nov 2026');
});

test('marks of the axis differ from one another', () => {
  const texts = (times, days) => times.map((time) => markText(Date.parse(`${time}:00Z`), days * DAY_MILLIS));
  assert.deepEqual(texts(['2026-11-20T00:00', '2026-11-20T12:00'], 2), ['20 Nov', '12:00']);
  assert.deepEqual(texts(['2026-11-01T00:00', '2026-11-08T00:00'], 30), ['1 Nov', '8 Nov']);
  assert.deepEqual(texts(['2018-10-01T00:00', '2019-01-01T00:00', '2019-04-01T00:00'], 700), ['Oct', '2019', 'Apr']);
  assert.deepEqual(texts(['2018-01-01T00:00', '2019-01-01T00:00'], 3_000), ['2018', '2019']);
});
