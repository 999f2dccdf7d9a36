import { Hour } from '../model/hour.js';
import { lastSpan, parseSpan } from '../model/range.js';

/**
 * The view of the page as its address: a copied link shows a colleague the same view.
 *
 *     ?hour=2026-11-20T08&type=checkout&type=payment&where=data.status+>=+500&order=desc&show=rows
 *     ?live=on&type=checkout
 *     ?last=15m&type=checkout
 *     ?from=2026-11-20T08:05:00Z&to=2026-11-20T08:07:30Z&contains=cart&column=data.path&event=ID&of=checkout
 */

export const ORDERS = ['asc', 'desc'];
export const PANELS = ['events', 'fields', 'rows', 'sources', 'health'];

/** The view of an address that says nothing: the newest hour, all events, oldest first. */
export const FIRST_VIEW = Object.freeze({
  span: null, last: null, badTime: null, live: false, types: [], contains: '', where: '', order: 'asc', show: 'events', columns: [], field: '', event: null,
});

/**
 * @returns a view; `last` is the length of a span that ends now, or null; `badTime` is the text of a time in the
 *     address that is none
 */
export function readView(search, nowMillis = Date.now()) {
  const params = new URLSearchParams(search);
  return {
    ...readTime(params, nowMillis),
    live: params.get('live') === 'on',
    types: unique(params.getAll('type')),
    contains: params.get('contains') ?? '',
    where: params.get('where') ?? '',
    order: oneOf(ORDERS, params.get('order')),
    show: oneOf(PANELS, params.get('show')),
    columns: unique(params.getAll('column')),
    field: params.get('field') ?? '',
    event: params.get('event') ? { id: params.get('event'), type: params.get('of') } : null,
  };
}

/** The search part of the address, what is as at first left out; the empty view is `?`, so that it replaces another. A live one is of now. */
export function writeView({ span, last, live, types, contains, where, order, show, columns, field, event }) {
  const params = new URLSearchParams(live ? { live: 'on' } : last ? { last } : span?.query);
  types.forEach((type) => params.append('type', type));
  if (contains) params.set('contains', contains);
  if (where) params.set('where', where);
  if (order !== FIRST_VIEW.order) params.set('order', order);
  if (show !== FIRST_VIEW.show) params.set('show', show);
  columns.forEach((column) => params.append('column', column));
  if (field) params.set('field', field);
  if (event) params.set('event', event.id);
  if (event?.type) params.set('of', event.type);
  return `?${params}`.replaceAll('%3A', ':');
}

function readTime(params, nowMillis) {
  const [hour, from, to, last] = ['hour', 'from', 'to', 'last'].map((name) => params.get(name) || null);
  if (hour === null && from === null && to === null) {
    const span = lastSpan(last, nowMillis);
    return { span, last: span && last, badTime: last && !span ? `last=${last}` : null };
  }
  const span = hour !== null ? Hour.parse(hour) : parseSpan(from, to);
  const text = hour !== null ? `hour=${hour}` : [from && `from=${from}`, to && `to=${to}`].filter(Boolean).join(', ');
  return { span, last: null, badTime: span ? null : text };
}

const unique = (texts) => [...new Set(texts)].filter((text) => text !== '');

const oneOf = (allowed, text) => (allowed.includes(text) ? text : allowed[0]);
