import { counted } from './format.js';
import { kindOf } from './json-preview.js';

/** Fields of payloads by name, as the API names them: `data.path`, `data.user.id`. A literal key with dots wins. */

const DATA = 'data.';

/** The name of a field in the API; null within lists, and if a name contains the separator. */
export function fieldName(path) {
  const sayable = path.length > 0 && path.every((part) => typeof part === 'string' && part !== '' && !part.includes(',') && part.isWellFormed());
  return sayable ? DATA + path.join('.') : null;
}

/** The value of a field of an event's payload; undefined where it is not there. */
export function fieldOf(data, name) {
  return name.startsWith(DATA) ? find(data, name.slice(DATA.length)) : undefined;
}

/** At every level the longest key that leads on wins. */
function find(value, path) {
  if (kindOf(value) !== 'object') return undefined;
  if (Object.hasOwn(value, path)) return value[path];
  for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
    const key = path.slice(0, dot);
    const found = Object.hasOwn(value, key) ? find(value[key], path.slice(dot + 1)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `path` of `data.path`: the heading of a column. */
export const shortName = (name) => (name.startsWith(DATA) ? name.slice(DATA.length) : name);

/** Events that are looked through for the names of fields. */
const LOOKED_AT_MAX = 200;
const FIELDS_MAX = 200;

/**
 * The fields of some events outside of lists, by name, each with the path that leads to it; in the order in which they
 * come.
 */
export function fieldsOf(events) {
  const known = new Map();
  for (const { data } of events.slice(0, LOOKED_AT_MAX)) collect(data, [], known);
  return known;
}

function collect(value, path, known) {
  if (kindOf(value) === 'object') {
    for (const name of Object.keys(value)) collect(value[name], [...path, name], known);
  } else if (path.length > 0 && kindOf(value) !== 'array') {
    const name = fieldName(path);
    if (name && !known.has(name) && known.size < FIELDS_MAX) known.set(name, path);
  }
}

/** Whether numbers are among the most frequent values. */
export const hasNumbers = ({ values }) => values.some(({ value }) => kindOf(value) === 'number');

/** Events of a list of the most frequent values that have the field. */
export const havingField = ({ events, absent = 0 }) => events - absent;

/** The part that a list of the most frequent values leaves out, in words. */
export function topNotes({ values, events, absent = 0, nested = 0, too_long: tooLong = 0, exact, distinct }) {
  const notes = [`Of ${counted(events, 'event')}`];
  if (exact && distinct > values.length) notes.push(`${counted(distinct - values.length, 'other value')} not listed`);
  if (!exact) notes.push('there are more values than can be kept apart, so counts are the least that there can be');
  if (absent > 0) notes.push(`${counted(absent, 'event')} without the field`);
  if (nested > 0) notes.push(`${counted(nested, 'event')} with an object or a list there`);
  if (tooLong > 0) notes.push(`${counted(tooLong, 'event')} with a value too long to count`);
  return notes;
}
