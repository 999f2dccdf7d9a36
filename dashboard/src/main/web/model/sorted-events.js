import { fieldOf } from './fields.js';
import { brief, kindOf } from './json-preview.js';

/** The name of the one column that is no field of the payload. */
export const TYPE = 'type';

/** What is sorted by after a click on a column: upwards, then downwards, then by time again. */
export function nextSort(sort, name) {
  if (sort?.name !== name) return { name, descending: false };
  return sort.descending ? null : { name, descending: true };
}

/**
 * Events by a column, in a list of its own: numbers by size, before texts; those without the field last, both ways.
 * Equal ones keep their order.
 */
export function sortEvents(events, { name, descending }) {
  const keyed = events.map((event) => ({ event, key: keyOf(name === TYPE ? event.type : fieldOf(event.data, name)) }));
  const there = keyed.filter(({ key }) => key !== null).sort((a, b) => (descending ? -1 : 1) * compare(a.key, b.key));
  return [...there, ...keyed.filter(({ key }) => key === null)].map(({ event }) => event);
}

function keyOf(value) {
  if (value === undefined || value === null) return null;
  return kindOf(value) === 'number' ? Number(value) : brief(value);
}

function compare(a, b) {
  if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}
