import { address } from '../api/client.js';

/** The downloads of a view: links to streams of all its events. */

const FORMATS = [
  ['ndjson', 'JSON lines', 'an event a line, with time, type and id'],
  ['csv', 'CSV', 'a table'],
  ['json', 'JSON', 'one document'],
];

/** Columns that every table has. */
const FIRST = ['id', 'time', 'type'];

/** The server's limit. */
const COLUMNS_MAX = 64;

/** Names of columns stand in the address, which a server takes up to 8 KiB; other parameters want some of that. */
const NAMES_LENGTH_MAX = 4_000;

/**
 * The columns of a table of all fields: each value once, in the order of their names. Fields that do not fit, or that a
 * sample may have missed, are in the last column, the whole payload.
 *
 * @param answer of /api/v1/fields
 * @returns {string[]} empty where no field can be a column
 */
export function tableColumns({ fields, more, sampled }) {
  const values = fields.filter(({ field, kinds }) => !field.includes(',') && Object.entries(kinds).some(([kind, n]) => kind !== 'object' && n > 0));
  let length = 0;
  const fitting = values.filter(({ field }) => (length += encodeURIComponent(field).length + 3) <= NAMES_LENGTH_MAX).slice(0, COLUMNS_MAX - FIRST.length - 1);
  const whole = !more && sampled === undefined && fitting.length === values.length && fields.every(({ field }) => !field.includes(','));
  const names = fitting.map(({ field }) => field).sort();
  return names.length === 0 || whole ? names : [...names, 'data'];
}

/**
 * @param view with a span
 * @param {string[]} columns of a CSV, beside id, time and type; without any it has the whole payload in one
 * @returns {{format: string, title: string, says: string, href: string, file: string}[]}
 */
export function downloadsOf({ span, types, q, order }, columns) {
  const query = { ...span.query, type: types, q, order: order === 'desc' ? order : null, limit: 'all' };
  const fields = columns.length > 0 ? [...FIRST, ...columns].join(',') : null;
  const base = `hourglass-${span.text.replaceAll(':', '').replace('/', '-')}`;
  return FORMATS.map(([format, title, says]) => ({
    format,
    title,
    says: format === 'csv' && fields ? `the columns ${fields.replaceAll(',', ', ')}` : says,
    // A CSV is opened by a spreadsheet, which would run cells of strangers as formulas.
    href: address('api/v1/events', { ...query, format, ...(format === 'csv' ? { fields, csv_safe: 'true' } : {}) }),
    file: `${base}.${format}`,
  }));
}
