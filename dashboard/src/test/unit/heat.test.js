import assert from 'node:assert/strict';
import { test } from 'node:test';

import { heatOf, heatSpan, HOURS_MAX, LINES_MAX } from '../../main/web/model/system/heat.js';
import { Hour } from '../../main/web/model/time/hour.js';
import { parseSpan } from '../../main/web/model/time/range.js';
import { describeRow } from '../../main/web/model/system/rows.js';

const at = (time) => Date.parse(time);
const NOW = at('2026-11-20T12:30:00Z');
const TARGET = { columns: 100, bytes: 1000 };

const row = (key, columns, more = {}) => describeRow({ row: key, columns, bytes: 0, target: TARGET, sealed: true, ...more });
const day = parseSpan('2026-11-20T00', '2026-11-21T00');

test('an hour, or a part of one, is shown with its day', () => {
  for (const span of [Hour.parse('2026-11-20T08'), parseSpan('2026-11-20T08:05:00Z', '2026-11-20T08:07:00Z')]) {
    const shown = heatSpan(span, NOW);
    assert.deepEqual([shown.span.text, shown.hours, shown.of], [day.text, 24, 24]);
  }
});

test('a range is shown with all hours that it touches', () => {
  const shown = heatSpan(parseSpan('2026-11-20T07:59:00Z', '2026-11-20T10:00:01Z'), NOW);
  assert.deepEqual([shown.span.text, shown.hours, shown.of], ['2026-11-20T07:00:00Z/2026-11-20T11:00:00Z', 4, 4]);
});

test('of a long range the newest hours are shown, and none that has not begun', () => {
  const past = heatSpan(parseSpan('2026-11-01T00', '2026-11-11T00'), NOW);
  assert.deepEqual([past.span.to, past.hours, past.of], ['2026-11-11T00:00:00Z', HOURS_MAX, 240]);
  const future = heatSpan(parseSpan('2026-11-20T00', '2026-11-22T00'), NOW);
  assert.deepEqual([future.span.to, future.hours, future.of], ['2026-11-20T13:00:00Z', 13, 13]);
  const yetToCome = heatSpan(parseSpan('2026-12-01T00', '2026-12-01T02'), NOW);
  assert.deepEqual([yetToCome.span.from, yetToCome.hours], ['2026-12-01T00:00:00Z', 2]);
});

test('a line a type and shard, a cell an hour, the widest first', () => {
  const rows = [row('20112601|a|0', 50), row('20112602|a|0', 70), row('20112602|b|0', 90), row('20112602|a|1', 70), row('21112602|a|0', 100)];
  const heat = heatOf(rows, day, 'columns');
  assert.deepEqual(heat.lines.map(({ type, shard, most }) => [type, shard, most]), [['b', 0, 0.9], ['a', 0, 0.7], ['a', 1, 0.7]]);
  assert.deepEqual(heat.lines[1].cells.map((cell) => cell?.share), [, 0.5, 0.7]);
  assert.equal(heat.hours.length, 24);
  assert.equal(heat.all, 3);
});

test('bytes make another order', () => {
  const rows = [row('20112601|a|0', 90, { bytes: 10 }), row('20112601|b|0', 1, { bytes: 2000 })];
  assert.deepEqual(heatOf(rows, day, 'columns').lines.map((l) => l.type), ['a', 'b']);
  assert.deepEqual(heatOf(rows, day, 'bytes').lines.map((l) => [l.type, l.most]), [['b', 2], ['a', 0.01]]);
});

test('only what is surely too wide is shown so', () => {
  const levelOf = (columns, more) => heatOf([row('20112601|a|0', columns, more)], day, 'columns').lines[0].cells[1].level;
  assert.deepEqual([0, 9, 10, 40, 80, 110, 111].map((n) => levelOf(n)), [0, 0, 1, 2, 3, 3, 4]);
  assert.deepEqual([111, 123, 124].map((n) => levelOf(n, { sealed: false })), [3, 3, 4]);
  assert.equal(levelOf(1, { target: { columns: 0.5, bytes: 1 } }), 3);
  assert.equal(levelOf(500, { target: undefined }), 0);
});

test('of many lines the widest are kept, and all counted', () => {
  const rows = Array.from({ length: 100 }, (_, i) => row(`20112601|a|${i}`, i));
  const heat = heatOf(rows, day, 'columns');
  assert.equal(heat.all, 100);
  assert.deepEqual(heat.lines.map((l) => l.shard), Array.from({ length: LINES_MAX }, (_, i) => 99 - i));
});
