import { Hour, HOUR_MILLIS } from '../time/hour.js';
import { DAY_MILLIS, spanOf } from '../time/range.js';
import { WIDE } from './rows.js';

/**
 * The rows of some hours as a heat map: a line for each type and shard, with a cell for each hour in which that row
 * exists.
 */

/** As many as a screen can show apart. */
export const HOURS_MAX = 48;
export const LINES_MAX = 40;

/** The measure of a row's width. */
export const MEASURES = ['columns', 'bytes'];

/** From which share of the target on a cell is deeper; the last is beyond what is planned. */
export const LEVELS = [
  { from: 0, says: 'under 10%' },
  { from: 0.1, says: '10–40%' },
  { from: 0.4, says: '40–80%' },
  { from: 0.8, says: '80–110%, as planned' },
  { from: WIDE, says: 'too wide' },
];

/** Counts of rows that are not sealed may run ahead by an eighth. */
const AHEAD = 1.125;

/**
 * The hours that the map of a view shows: of a view within one hour its day, so that there is something to compare
 * with; of a long one the newest that have begun.
 *
 * @returns {{span: object, hours: number, of: number}} the span, how many hours it has, and of how many
 */
export function heatSpan({ fromMillis, toMillis }, nowMillis) {
  const from = floor(fromMillis, HOUR_MILLIS);
  const to = floor(toMillis - 1, HOUR_MILLIS) + HOUR_MILLIS;
  if (to - from === HOUR_MILLIS) {
    const midnight = floor(from, DAY_MILLIS);
    return { span: spanOf(midnight, midnight + DAY_MILLIS), hours: 24, of: 24 };
  }
  const begun = floor(nowMillis, HOUR_MILLIS) + HOUR_MILLIS;
  const end = begun > from ? Math.min(to, begun) : to;
  const start = Math.max(from, end - HOURS_MAX * HOUR_MILLIS);
  return { span: spanOf(start, end), hours: (end - start) / HOUR_MILLIS, of: (end - from) / HOUR_MILLIS };
}

/**
 * @param rows from describeRow
 * @param span of whole hours
 * @param {'columns' | 'bytes'} measure
 * @returns {{hours: Hour[], lines: {type: string, shard: number, most: number, cells: object[]}[], all: number}} the lines with the
 *     widest rows, widest first, and how many there are in all; a cell has its row, its share of the target and its level
 */
export function heatOf(rows, span, measure) {
  const hours = Array.from({ length: span.lengthMillis / HOUR_MILLIS }, (_, i) => new Hour(span.fromMillis + i * HOUR_MILLIS));
  const lines = new Map();
  for (const row of rows) {
    const at = row.hour === null ? -1 : (row.hour.fromMillis - span.fromMillis) / HOUR_MILLIS;
    if (at < 0 || at >= hours.length) continue;
    const key = `${row.shard} ${row.type}`;
    if (!lines.has(key)) lines.set(key, { type: row.type, shard: row.shard, most: 0, cells: [] });
    const line = lines.get(key);
    const share = shareOf(row, measure);
    line.cells[at] = { row, share, level: levelOf(share ?? 0, row) };
    line.most = Math.max(line.most, share ?? 0);
  }
  const sorted = [...lines.values()].sort((a, b) => b.most - a.most || (a.type < b.type ? -1 : a.type > b.type ? 1 : a.shard - b.shard));
  return { hours, lines: sorted.slice(0, LINES_MAX), all: sorted.length };
}

/** Of the target, by one measure; null where none is known. */
export function shareOf(row, measure) {
  const limit = row.target?.[measure];
  return limit > 0 && row[measure] != null ? row[measure] / limit : null;
}

/** One event may be larger than a row is to be, and a bound is no count. */
function levelOf(share, { state, columns }) {
  const last = LEVELS.length - 1;
  const wide = columns > 1 && share > WIDE * (state === 'sealed' ? 1 : AHEAD);
  return wide ? last : Math.min(last - 1, LEVELS.findLastIndex(({ from }) => share >= from));
}

const floor = (millis, unit) => Math.floor(millis / unit) * unit;
