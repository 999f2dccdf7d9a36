import { Hour } from '../model/hour.js';

/**
 * What the page shows, as it stands in the address: a copied link shows a colleague the same view.
 *
 *     ?hour=2026-11-20T08&type=checkout&type=payment&order=desc&show=rows
 */

export const ORDERS = ['asc', 'desc'];
export const PANELS = ['events', 'rows', 'sources'];

/** The view of an address that says nothing: the newest hour, all types, oldest first. */
export const FIRST_VIEW = Object.freeze({ hour: null, badHour: null, types: [], order: 'asc', show: 'events' });

/** @returns a view; `badHour` holds what stands for an hour in the address and is none */
export function readView(search) {
  const params = new URLSearchParams(search);
  const hourText = params.get('hour');
  const hour = Hour.parse(hourText);
  return {
    hour,
    badHour: hourText && !hour ? hourText : null,
    types: [...new Set(params.getAll('type'))].filter((type) => type !== ''),
    order: oneOf(ORDERS, params.get('order')),
    show: oneOf(PANELS, params.get('show')),
  };
}

/** The search part of the address, what is as at first left out; the empty view is `?`, so that it replaces another. */
export function writeView({ hour, types, order, show }) {
  const params = new URLSearchParams();
  if (hour) params.set('hour', hour.text);
  types.forEach((type) => params.append('type', type));
  if (order !== FIRST_VIEW.order) params.set('order', order);
  if (show !== FIRST_VIEW.show) params.set('show', show);
  return `?${params}`.replaceAll('%3A', ':');
}

const oneOf = (allowed, text) => (allowed.includes(text) ? text : allowed[0]);
