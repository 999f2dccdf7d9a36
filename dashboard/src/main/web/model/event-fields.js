import { fieldName } from './fields.js';
import { isSameTime, kindOf } from './json-preview.js';

/**
 * The payload of an event as rows of a table, a row for each value: nested objects by their path, a list of plain
 * values in one row, the members of any other list by their place. Time, type and id are said once: a field that
 * repeats one of them is named beside it instead.
 *
 * @typedef {{path: (string | number)[], name: string, value: unknown}} EventField
 */

/** Names that an event itself has; a field of the payload with one of them is told apart by `data.`. */
const OWN = new Set(['time', 'type', 'id']);

/** @returns {{fields: EventField[], also: {time: string[], type: string[], id: string[]}}} names in `also` are of fields that say the same */
export function fieldsOfEvent({ id, type, time, data }) {
  const also = { time: [], type: [], id: [] };
  if (kindOf(data) !== 'object') return { fields: rowsOf(data, []), also };
  const fields = [];
  for (const [name, value] of Object.entries(data)) {
    const said = isSameTime(value, time) ? 'time' : value === id ? 'id' : name === 'type' && value === type ? 'type' : null;
    if (said) also[said].push(name);
    else fields.push(...rowsOf(value, [name]));
  }
  return { fields, also };
}

/** A value as rows: itself, or what is in it. */
function rowsOf(value, path) {
  const kind = kindOf(value);
  const isList = kind === 'array';
  if ((isList && !value.every(isPlain)) || (kind === 'object' && Object.keys(value).length > 0)) {
    return Object.keys(value).flatMap((key) => rowsOf(value[key], [...path, isList ? Number(key) : key]));
  }
  return [{ path, name: titleOf(path), value }];
}

const isPlain = (value) => !['object', 'array'].includes(kindOf(value));

/** `http.status`, `items[0].sku`, and `data.id` of a field that is not the event's own. */
function titleOf(path) {
  const title = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('');
  return !title.startsWith('.') || OWN.has(title.slice(1)) ? `data${title}` : title.slice(1);
}

/** The name of a field for the API, or the path of a value in a list, for which there is none. */
export const namedField = ({ path, name }) => fieldName(path) ?? name;

/** Lines that a text shows until all of it is asked for. */
export const LINES_SHOWN = 20;

/** Characters that these lines have at most, and those of a text without so many lines. */
const CHARACTERS_OF_LINES = 8_000;
const CHARACTERS_SHOWN = 2_000;

const LINE_END = /\r\n|\r|\n/g;

/**
 * @returns {{shown: string, lines: number, characters: number, byLines: boolean} | null} what a long text shows at first, and how
 *     much there is in all, to be told in lines or in characters; null for a short text
 */
export function folded(text) {
  const ends = [...text.matchAll(LINE_END)].filter(({ index, 0: end }) => index + end.length < text.length);
  const isLong = ends.length >= LINES_SHOWN;
  const lines = isLong ? text.slice(0, ends[LINES_SHOWN - 1].index) : text;
  const shown = lines.slice(0, isLong ? CHARACTERS_OF_LINES : CHARACTERS_SHOWN);
  if (shown.length === text.length) return null;
  return { shown, lines: ends.length + 1, characters: text.length, byLines: isLong && shown.length === lines.length };
}

/** Characters of a line whose blanks at either end are worth quotes. */
const QUOTED_MAX = 80;

/** Whether a text would be taken for another kind of value, or for less than it is, without its quotes. */
export function needsQuotes(text) {
  const isBlank = text.trim() === '';
  const hasEdges = text.trim() !== text && !/[\r\n]/.test(text);
  return (text.length <= QUOTED_MAX && (isBlank || hasEdges)) || /^(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$/.test(text);
}
