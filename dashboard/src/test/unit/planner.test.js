import assert from 'node:assert/strict';
import { test } from 'node:test';

import { planOf } from '../../main/web/model/system/planner.js';

const TARGET = { columns: 100, bytes: 1000 };

/** Rows with so many columns each, from and to a minute of the hour. */
const rows = (...all) => all.map(([columns, from, to, bytes = 0]) => ({
  columns, bytes, target: TARGET, first: `2026-11-20T08:${from}:00.0000000Z`, last: `2026-11-20T08:${to}:00.0000000Z`,
}));

test('one row, where all of it fits and where it does not', () => {
  assert.deepEqual(planOf(rows([40, '00', '59'])), { did: 'one row', why: 'all of it fits' });
  assert.deepEqual(planOf(rows([250, '00', '59'])), { did: 'one row', why: 'its 250 columns fill 3' });
  assert.deepEqual(planOf(rows([1, '00', '59', 1500])), { did: 'one row', why: 'its bytes fill 2' });
});

test('rows that follow one another, and rows side by side', () => {
  assert.deepEqual(planOf(rows([100, '00', '19'], [100, '20', '39'], [20, '40', '59'])), { did: '3 rows, one after the other, the newest from 08:40', why: 'its 220 columns fill 3' });
  assert.deepEqual(planOf(rows([100, '00', '59'], [100, '01', '59'])), { did: '2 rows, side by side, the newest from 08:01', why: 'its 200 columns fill 2' });
  assert.equal(planOf(rows([100, '00', '29'], [90, '01', '28'], [50, '30', '59'])).did, '3 rows, up to 2 side by side, the newest from 08:30');
});

test('more rows than the columns fill share the writes', () => {
  const all = Array.from({ length: 40 }, () => [2, '00', '59']);
  assert.deepEqual(planOf(rows(...all)), { did: '40 rows, side by side, the newest from 08:00', why: 'its 80 columns fill 1; more share the writes' });
});

test('a writer that took a row for itself is told', () => {
  const [shared, own] = rows([10, '00', '09'], [50, '10', '59']);
  const writers = [{ writer: 'w', sole: true, columns: 100, bytes: 1 }];
  assert.deepEqual(planOf([shared, { ...own, writers }]), { did: '2 rows, one after the other, the newest from 08:10', why: 'its 60 columns fill 1; 1 taken by one writer for itself' });
});

test('nothing is said without rows or without a target', () => {
  assert.equal(planOf([]), null);
  assert.equal(planOf([{ columns: 5, bytes: 5 }]), null);
});
