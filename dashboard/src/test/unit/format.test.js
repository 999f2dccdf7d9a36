import assert from 'node:assert/strict';
import { test } from 'node:test';

import { bytes, clock, compact, count, counted, dayClock, figure, percent, perSecond } from '../../main/web/model/format.js';

test('numbers', () => {
  assert.equal(count(1234567), '1,234,567');
  assert.equal(compact(1234567), '1.2M');
  assert.equal(counted(1, 'event'), '1 event');
  assert.equal(counted(0, 'event'), '0 events');
  assert.deepEqual([0, 0.001, 0.42, 1.31].map(percent), ['0%', '<1%', '42%', '131%']);
  assert.deepEqual([0, 0.27, 277.78].map(perSecond), ['0/s', '0.3/s', '278/s']);
});

test('sizes', () => {
  assert.deepEqual([0, 1023, 1024, 10485760, null].map(bytes), ['0 B', '1,023 B', '1 KiB', '10 MiB', '–']);
});

test('clock times keep what they know', () => {
  assert.equal(clock('2026-11-20T08:00:00.0003310Z'), '08:00:00.000331');
  assert.equal(clock('2026-11-20T08:00:00.0003317Z'), '08:00:00.0003317');
  assert.equal(clock('2026-11-20T08:00:00Z'), '08:00:00.000000');
  assert.equal(clock(undefined), '–');
});

test('figures are as exact as they are read', () => {
  assert.deepEqual([0.12345678, -41.256, 999.95, 18431.4, 1.5e12, null, undefined].map(figure), ['0.1235', '-41.26', '1,000', '18,431', '1,500,000,000,000', '–', '–']);
  assert.equal(dayClock('2026-11-20T08:00:00.0003310Z'), '20 Nov 08:00:00.000331');
});
