import assert from 'node:assert/strict';
import { test } from 'node:test';

import { addMonths, dayAfterKey, dayOf, monthOf, weeksOf } from '../../main/web/model/time/month.js';

const at = (day) => Date.parse(`${day}T00:00:00Z`);
const text = (millis) => new Date(millis).toISOString().slice(0, 10);

test('a month has whole weeks from Monday on', () => {
  const weeks = weeksOf(at('2026-11-20'));
  assert.deepEqual([weeks.length, text(weeks[0][0]), text(weeks.at(-1)[6])], [6, '2026-10-26', '2026-12-06']);
  assert.deepEqual(weeksOf(at('2027-02-10')).map((week) => text(week[0])), ['2027-02-01', '2027-02-08', '2027-02-15', '2027-02-22']);
});

test('months are added day by day, or to the last day', () => {
  assert.equal(text(addMonths(at('2026-01-31'), 1)), '2026-02-28');
  assert.equal(text(addMonths(at('2026-01-15'), -1)), '2025-12-15');
  assert.equal(text(monthOf(at('2026-12-31'))), '2026-12-01');
  assert.equal(text(dayOf(Date.parse('2026-11-20T23:59:59Z'))), '2026-11-20');
});

test('keys lead along days, weeks and months', () => {
  const from = at('2026-11-20');
  const led = Object.fromEntries(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End'].map((key) => [key, text(dayAfterKey(key, from)).slice(5)]));
  assert.deepEqual(led, { ArrowLeft: '11-19', ArrowRight: '11-21', ArrowUp: '11-13', ArrowDown: '11-27', PageUp: '10-20', PageDown: '12-20', Home: '11-16', End: '11-22' });
  assert.equal(dayAfterKey('Tab', from), null);
});
