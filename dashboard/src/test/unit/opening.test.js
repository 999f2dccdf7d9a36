import assert from 'node:assert/strict';
import { test } from 'node:test';

import { openingOf } from '../../main/web/model/time/opening.js';

const NOW = Date.parse('2026-11-20T08:20:30Z');
const MINUTE = 60_000;
const DAY = 86_400_000;

const opening = (newest, past = newest) => {
  const { part: { span, last }, old, ahead } = openingOf(newest, past, NOW);
  return [last ?? span.text, old, ahead];
};

test('the last hour opens where it has events', () => {
  assert.deepEqual(opening(NOW - 1), ['60m', null, null]);
  assert.deepEqual(opening(NOW - 59 * MINUTE), ['60m', null, null]);
  assert.equal(openingOf(NOW, NOW, NOW).part.span.to, '2026-11-20T08:20:31Z');
});

test('clocks may differ a little', () => {
  assert.deepEqual(opening(NOW + MINUTE), ['60m', null, null]);
});

test('older events open their hour, which is said', () => {
  assert.deepEqual(opening(NOW - 61 * MINUTE), ['2026-11-20T07', 61 * MINUTE, null]);
  assert.deepEqual(opening(NOW - 90 * DAY), ['2026-08-22T08', 90 * DAY, null]);
});

test('events ahead of the clock are told, and shown where there are no others', () => {
  assert.deepEqual(opening(NOW + 120 * MINUTE, NOW - MINUTE), ['60m', null, NOW + 120 * MINUTE]);
  assert.deepEqual(opening(NOW + DAY, NOW - DAY), ['2026-11-19T08', DAY, NOW + DAY]);
  assert.deepEqual(opening(NOW + 120 * MINUTE, null), ['2026-11-20T10', null, NOW + 120 * MINUTE]);
});
