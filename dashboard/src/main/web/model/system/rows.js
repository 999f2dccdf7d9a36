/** The rows of the hour as the tables show them. */

import { count, counted } from '../format.js';
import { Hour } from '../time/hour.js';
import { planOf } from './planner.js';

/** Parts of a row key, `20112608|checkout|3`; the type is percent-encoded there. */
export function partsOf(key) {
  const [, encoded = '', shard = ''] = key.split('|');
  return { type: decoded(encoded), shard: Number(shard) };
}

/** The hour of a row key, or null where it names none. */
export function hourOf(key) {
  const [, day, month, year, hour] = /^(\d\d)(\d\d)(\d\d)(\d\d)\|/.exec(key) ?? [];
  return day === undefined ? null : Hour.parse(`20${year}-${month}-${day}T${hour}`);
}

/** A row of the answer with what it leaves out filled in; `fill` is null when no target is known. */
export function describeRow(row) {
  const parts = partsOf(row.row);
  return {
    ...row,
    hour: hourOf(row.row),
    type: row.type ?? parts.type,
    shard: row.shard ?? parts.shard,
    fill: row.fill ?? fillOf(row),
    state: row.state ?? (row.sealed ? 'sealed' : 'open'),
    rate: row.growth?.columns_per_s ?? null,
    writers: row.writers ?? null,
  };
}

/** Share of the target that is used, by columns or bytes, whichever is nearer. */
function fillOf({ columns, bytes, target }) {
  if (!target) return null;
  const shares = [
    [columns, target.columns],
    [bytes, target.bytes],
  ].filter(([used, limit]) => used != null && limit > 0);
  return shares.length === 0 ? null : Math.max(...shares.map(([used, limit]) => used / limit));
}

/** States of a row that takes columns. */
const TAKES = new Set(['open', 'shared', 'filling']);

/** Writers keep to a target but for a tenth; a row that was left has not always its last column. */
export const WIDE = 1.1;
const FULL = 0.99;
const NEARLY = 0.8;

/**
 * What the fill of a row means, in words. Only sealed rows are too wide, as others have bounds for counts; and none of
 * one event, which may be larger than a row is to be.
 */
export function verdictOf({ fill, state, columns }) {
  if (state === 'sealed' && columns > 1 && fill > WIDE) return 'too wide';
  if (fill >= FULL) return 'full';
  return fill > NEARLY && TAKES.has(state) ? 'nearly full' : 'ok';
}

/** The meaning of each state. */
export const STATES = {
  open: 'takes columns; not claimed, or its writer is unknown',
  shared: 'takes columns of all writers that claimed a part of it',
  filling: 'takes columns of the one writer that claimed it for itself',
  full: 'at its target; its writers use other rows',
  closed: 'its hour is over; takes only late events',
  sealed: 'quiet since its hour was over; its counts are exact',
};

/** Names of writers are long and random: their beginning tells them apart. */
const NAME_MAX = 6;

/**
 * The writers of a row, short and at length.
 *
 * @param {Array<{writer: string, sole: boolean, columns: number}> | null} writers
 */
export function writersText(writers) {
  if (writers == null) return { short: '–', long: 'not known, or sealed' };
  const long = writers.map(({ writer, sole, columns }) => `${writer}${sole ? ' alone' : ''}, up to ${count(columns)} columns`).join('; ');
  if (writers.length === 1) return { short: writers[0].writer.slice(0, NAME_MAX), long };
  return writers.length === 0 ? { short: 'none', long: 'not claimed by a writer' } : { short: `${writers.length} writers`, long };
}

/**
 * The types of the answer, each hour apart, as the table shows them: those with a proposal first, then by their
 * columns. What grows is the sum over the rows; null where nothing is known of any. `plan` is from planOf.
 */
export function describeTypes(answer) {
  const found = new Map();
  for (const row of answer.rows.map(describeRow)) {
    const key = `${row.hour?.text} ${row.type}`;
    if (!found.has(key)) found.set(key, []);
    found.get(key).push(row);
  }
  return (answer.types ?? [])
    .map((type) => {
      const rows = found.get(`${type.hour} ${type.type}`) ?? [];
      return { ...type, growth: growthOf(rows), plan: planOf(rows) };
    })
    .sort((a, b) => Boolean(b.proposal) - Boolean(a.proposal) || b.columns - a.columns || compare(a.type, b.type) || compare(a.hour, b.hour));
}

function growthOf(rows) {
  const rates = rows.filter((row) => row.rate !== null).map((row) => row.rate);
  return rates.length === 0 ? null : rates.reduce((sum, rate) => sum + rate, 0);
}

/** Proposals with all types that have the same, those of most types first. */
export function proposalsOf(types) {
  const found = new Map();
  for (const { type, proposal } of types) {
    if (!proposal) continue;
    const key = `${proposal.setting} = ${proposal.value}`;
    if (!found.has(key)) found.set(key, { ...proposal, types: [] });
    found.get(key).types.push(type);
  }
  return [...found.values()].sort((a, b) => b.types.length - a.types.length);
}

/** Why the writers of some types are not known, where that is no matter of course; null if all are. */
export function writersMissing({ claims, types = [] }) {
  if (!claims || claims.answered >= claims.asked) return null;
  const reason = types.find((t) => t.writers_unknown && t.writers_unknown !== SEALED)?.writers_unknown;
  return `The writers of ${count(claims.asked - claims.answered)} of ${counted(claims.asked, 'type')} are not known: ${reason ?? 'the server does not say why'}`;
}

const SEALED = 'all rows are sealed';

/** A copy in order of one property; equal ones stay in order of type and shard. */
export function sortRows(rows, property, descending) {
  const sign = descending ? -1 : 1;
  return [...rows].sort(
    (a, b) => sign * compare(a[property], b[property]) || compare(a.type, b.type) || compare(a.shard, b.shard),
  );
}

function compare(a, b) {
  if (a == null || b == null) return (a != null) - (b != null);
  return a < b ? -1 : a > b ? 1 : 0;
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
