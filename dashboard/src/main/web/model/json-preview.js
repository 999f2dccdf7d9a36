import { ExactNumber } from './exact-number.js';

/**
 * An event's payload on one line: its fields as [name, text, kind], cut where a line ends anyway. A type and a time
 * that are the event's own are left out, since they stand beside it.
 */

const CHARACTERS_MAX = 320;
const FIELDS_MAX = 24;

export function previewOf({ type, time, data }) {
  if (data === null || typeof data !== 'object') return [['', brief(data), kindOf(data)]];
  const fields = [];
  let room = CHARACTERS_MAX;
  for (const name of Object.keys(data)) {
    if (room <= 0 || fields.length === FIELDS_MAX) break;
    const value = data[name];
    if (name === 'type' ? value === type : name === 'time' && isSameTime(value, time)) continue;
    const text = brief(value).slice(0, room);
    fields.push([Array.isArray(data) ? '' : name, text, kindOf(value)]);
    room -= name.length + text.length;
  }
  return fields;
}

const isSameTime = (value, time) => typeof value === 'string' && withoutZeros(value) === withoutZeros(time);

const withoutZeros = (time) => time.replace(/(\.\d*?)0*Z$/, '$1Z').replace('.Z', 'Z');

/** string, number, boolean, null, object or array */
export function kindOf(value) {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (value instanceof ExactNumber) return 'number';
  return typeof value;
}

/** A value on one line, cut; what is nested by its size. */
export function brief(value) {
  if (typeof value === 'string') return value.slice(0, CHARACTERS_MAX);
  const kind = kindOf(value);
  if (kind === 'array') return value.length === 0 ? '[]' : `[${value.length}]`;
  if (kind === 'object') return Object.keys(value).length === 0 ? '{}' : '{…}';
  return String(value);
}
