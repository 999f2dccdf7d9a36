import { count, counted } from '../format.js';

/** The planner's work for a type hour, as its rows show it. */

/**
 * How many rows there are and how they lie in time, and the reason as far as rows have it: how many its columns or
 * bytes fill.
 *
 * @param rows of one type and hour, from describeRow
 * @returns {{did: string, why: string} | null} null without rows, and without a target to judge them by
 */
export function planOf(rows) {
  const target = rows.find((row) => row.target)?.target;
  if (!target) return null;
  const [needed, by] = neededOf(rows, target);
  const fills = `its ${by === 'columns' ? counted(sumOf(rows, by), 'column') : by} fill ${count(needed)}`;
  if (rows.length === 1) return { did: 'one row', why: needed <= 1 ? 'all of it fits' : fills };
  const abreast = mostAbreast(rows);
  const did = `${counted(rows.length, 'row')}, ${layOut(abreast, rows.length)}, the newest from ${newestOf(rows)}`;
  return { did, why: rows.length > needed ? `${fills}; ${moreOf(rows)}` : fills };
}

/** Why there are more rows than the columns fill. A busy writer leaves the row that all share for some of its own. */
function moreOf(rows) {
  const own = rows.filter(({ writers }) => writers?.some(({ sole }) => sole)).length;
  return own > 0 ? `${count(own)} taken by one writer${own > 1 ? ' each' : ''} for itself` : 'more share the writes';
}

function neededOf(rows, target) {
  const columns = Math.ceil(sumOf(rows, 'columns') / target.columns);
  const bytes = Math.ceil(sumOf(rows, 'bytes') / target.bytes);
  return bytes > columns ? [bytes, 'bytes'] : [columns, 'columns'];
}

const sumOf = (rows, property) => rows.reduce((sum, row) => sum + (row[property] ?? 0), 0);

const layOut = (abreast, rows) => (abreast === 1 ? 'one after the other' : abreast === rows ? 'side by side' : `up to ${count(abreast)} side by side`);

/** The most rows whose events overlap in time. */
function mostAbreast(rows) {
  const edges = rows.flatMap(({ first, last }) => [[first, 1], [last, -1]]);
  edges.sort(([a, opens], [b, shuts]) => (a < b ? -1 : a > b ? 1 : shuts - opens));
  let open = 0;
  return Math.max(...edges.map(([, step]) => (open += step)));
}

/** The minute in which the row begins that begins last. */
const newestOf = (rows) => rows.map((row) => row.first).sort().at(-1).slice(11, 16);
