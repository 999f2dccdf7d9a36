import { shortName } from './fields.js';
import { canAsk, canSay, exists, existsNot, hasNotValue, hasValue } from './filter/field-clauses.js';
import { APART_MAX } from './type-colours.js';

/** What the chart shows: counts or a figure of a number, broken down by type, by a field, or not at all. */

export const BY_TYPE = 'type';
export const BY_NOTHING = 'none';

export const COUNT = 'count';

/** Each as the API names it. */
export const MEASURES = [COUNT, 'mean', 'p50', 'p90', 'p99'];

/** As many groups as can be told apart on a chart. */
export const GROUPS_MAX = APART_MAX;

/** The chart as it is at first. */
export const isUsual = ({ by, measure }) => by === BY_TYPE && measure === COUNT;

/** A figure needs a field, whose numbers it is of. */
export const isAsked = ({ measure, number }) => measure === COUNT || number !== '';

/** Names of what takes long, which figures of numbers are asked about most. */
const DURATION = /(?:^|[._-])(?:ms|millis|milliseconds|duration|latency|elapsed|took|seconds)(?:$|[._-])|(?:Ms|Millis|Duration|Latency|Seconds)$/;

/**
 * The field whose numbers are likely meant: the duration that is in most events, or the only number of all; else none.
 *
 * @param {Iterable<{field: string, events: number, kinds: {number: number}}>} fields
 */
export function likelyNumber(fields) {
  const numbers = [...fields].filter(({ kinds }) => kinds.number > 0).sort((a, b) => b.events - a.events);
  const likely = numbers.find(({ field }) => DURATION.test(field)) ?? (numbers.length === 1 ? numbers[0] : null);
  return likely?.field ?? '';
}

/** The parameters of `/hits` and `/stats` for a break-down. */
export const groupingOf = (by) => (by === BY_NOTHING ? {} : { by, groups: GROUPS_MAX });

/** `type`, `host`, `nothing` */
export const byName = (by) => (by === BY_NOTHING ? 'nothing' : shortName(by));

/** `Events`, `p99 of ms` */
export const measureName = ({ measure, number }) => (measure === COUNT ? 'Events' : `${measure} of ${number === '' ? '…' : shortName(number)}`);

/** Reasons why events are in no group of a field, in the words of the API and of the page. */
const ABSENCES = { absent: 'no such field', nested: 'an object or a list', too_long: 'a long text' };

/**
 * The group of one series of an answer.
 *
 * @returns `name`; `only` and `others`, the clauses that its events match and all other events, or null where none does;
 *     `apart`, whether it is one value; `value`, that of the field; `type` where the group is a type
 */
export function groupOf(series, by) {
  if (series.other) return { name: 'all others', only: null, others: null, apart: false };
  if (by === BY_NOTHING) return { name: 'all events', only: null, others: null, apart: true };
  if (by === BY_TYPE) {
    const { type } = series;
    return { name: type, type, ...clausesOf(BY_TYPE, type), apart: true };
  }
  return groupOfField(series.group, by);
}

function groupOfField(group, by) {
  const reason = Object.keys(ABSENCES).find((name) => group[name]?.includes(by));
  if (reason) return { name: ABSENCES[reason], ...(reason === 'absent' ? absence(by) : NO_CLAUSES), apart: false };
  const value = group[by];
  return { name: looksOtherwise(value) ? JSON.stringify(value) : String(value), value, ...clausesOf(by, value), apart: true };
}

const clausesOf = (by, value) => (canSay(by, value) ? { only: hasValue(by, value), others: hasNotValue(by, value) } : NO_CLAUSES);

/** A text that reads like nothing, a number or a word of JSON is in quotes: beside 200 there may be "200". */
const looksOtherwise = (value) => typeof value === 'string' && /^(?:|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/.test(value);

const NO_CLAUSES = { only: null, others: null };

const absence = (by) => (canAsk(by) ? { only: existsNot(by), others: exists(by) } : NO_CLAUSES);
