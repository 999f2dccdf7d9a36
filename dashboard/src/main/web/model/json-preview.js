import { ExactNumber } from './exact-number.js';
import { LEVELS } from './severity.js';

/**
 * An event's payload on one line, cut where a line ends anyway: its fields with nested ones by their path. First what
 * is read first, a level and a message; then what differs from event to event; last what is the same in all. What
 * stands beside the line already is left out.
 */

const CHARACTERS_MAX = 320;
const FIELDS_MAX = 24;

/** Leaves of a payload that are looked at, and how deep they are looked for. */
const LEAVES_MAX = 100;
const DEPTH_MAX = 4;

const MESSAGES = new Set(['message', 'msg', 'log', 'text', 'body', 'error.message', 'err']);

/** These differ in all events, and say nothing to a reader. */
const IDS = new Set(['id', '_id', 'uuid', 'event_id', 'eventId']);

const NONE = new Set();

/**
 * @param beside what the view shows besides: the names of `columns`, and of fields that are `same` in all events (from sameFields);
 *     both as in the API, `data.a.b`
 * @returns {[name: string, text: string, kind: string][]} `level` and `message` are kinds too
 */
export function previewOf({ id, type, time, data }, { columns = NONE, same = NONE } = {}) {
  if (data === null || typeof data !== 'object') return [['', brief(data), kindOf(data)]];
  const isSaid = ({ depth, value }) => depth === 1 && (value === type || value === id || isSameTime(value, time));
  const leaves = leavesOf(data).filter((leaf) => !columns.has(`data.${leaf.name}`) && !isSaid(leaf));
  const ranked = leaves.map((leaf) => ({ ...leaf, rank: rankOf(leaf, same) })).sort((a, b) => a.rank - b.rank);
  const fields = [];
  let room = CHARACTERS_MAX;
  for (const { name, value, rank } of ranked) {
    if (room <= 0 || fields.length === FIELDS_MAX) break;
    const text = brief(value).slice(0, room);
    fields.push([name, text, ['level', 'message'][rank] ?? kindOf(value)]);
    room -= name.length + text.length;
  }
  return fields;
}

/** The names of fields that have one value in all of some events. */
export function sameFields(events) {
  if (events.length < 2) return NONE;
  const textsOf = ({ data }) => new Map(leavesOf(data).map(({ name, value }) => [`data.${name}`, brief(value)]));
  const same = textsOf(events[0]);
  for (const event of events.slice(1)) {
    if (same.size === 0) break;
    const texts = textsOf(event);
    for (const [name, text] of same) if (texts.get(name) !== text) same.delete(name);
  }
  return new Set(same.keys());
}

/** Values that are no objects with something in them; of a list, all of it. */
function leavesOf(value, name = '', depth = 0, found = []) {
  const nested = kindOf(value) === 'object' && Object.keys(value).length > 0 && depth < DEPTH_MAX;
  if (!nested) {
    if (depth > 0 || kindOf(value) === 'array') found.push({ name, value, depth });
    return found;
  }
  for (const key of Object.keys(value)) {
    if (found.length >= LEAVES_MAX) break;
    leavesOf(value[key], name === '' ? key : `${name}.${key}`, depth + 1, found);
  }
  return found;
}

function rankOf({ name, value }, same) {
  if (typeof value === 'string' && LEVELS.has(name)) return 0;
  if (typeof value === 'string' && value !== '' && MESSAGES.has(name)) return 1;
  if (same.has(`data.${name}`)) return 4;
  return IDS.has(name) ? 3 : 2;
}

/** Whether a value of a payload is the event's time, as a text or since 1970. */
export function isSameTime(value, time) {
  if (typeof value === 'string') return withoutZeros(value) === withoutZeros(time);
  return ['number', 'object'].includes(typeof value) && kindOf(value) === 'number' && isSameInstant(Number(value), Date.parse(time));
}

/**
 * Numbers are seconds, milliseconds, microseconds or nanoseconds since 1970; a fraction of a millisecond is not told
 * apart.
 */
const isSameInstant = (n, millis) => [1000, 1, 1e-3, 1e-6].some((unit) => Math.abs(n * unit - millis) < 1);

const withoutZeros = (time) => time?.replace(/(\.\d*?)0*Z$/, '$1Z').replace('.Z', 'Z');

/** string, number, boolean, null, object or array */
export function kindOf(value) {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (value instanceof ExactNumber) return 'number';
  return typeof value;
}

/** As much of a list as tells what it is a list of. */
const ELEMENTS_MAX = 8;

/** A value on one line, cut; nested ones within a list by their size. */
export function brief(value) {
  if (typeof value === 'string') return value.slice(0, CHARACTERS_MAX);
  const kind = kindOf(value);
  if (kind === 'array') return `[${value.slice(0, ELEMENTS_MAX).map(nested).join(', ')}${value.length > ELEMENTS_MAX ? ', …' : ''}]`;
  return kind === 'object' ? nested(value) : String(value);
}

function nested(value) {
  switch (kindOf(value)) {
    case 'array':
      return value.length === 0 ? '[]' : `[${value.length}]`;
    case 'object':
      return Object.keys(value).length === 0 ? '{}' : '{…}';
    default:
      return brief(value);
  }
}
