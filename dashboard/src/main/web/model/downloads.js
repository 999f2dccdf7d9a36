import { address } from '../api/client.js';

/** The downloads of a view: links to streams of all its events. */

const FORMATS = [
  ['ndjson', 'JSON lines', 'an event a line, with time, type and id'],
  ['csv', 'CSV', 'a table'],
  ['json', 'JSON', 'one document'],
];

/**
 * @param view with a span
 * @param {string[]} columns chosen in the table; a CSV then has these instead of the whole payload
 * @returns {{format: string, title: string, says: string, href: string, file: string}[]}
 */
export function downloadsOf({ span, types, contains, where, order }, columns) {
  const query = { ...span.query, type: types, contains, where, order: order === 'desc' ? order : null, limit: 'all' };
  const fields = columns.length > 0 ? ['id', 'time', 'type', ...columns].join(',') : null;
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
