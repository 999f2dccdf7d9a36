import { BY_TYPE, COUNT, MEASURES } from '../model/breakdown.js';
import { Hour } from '../model/time/hour.js';
import { parseSpan } from '../model/time/range.js';
import { REFRESHES } from '../model/time/refresh.js';
import { lastSpan } from '../model/time/relative.js';

/**
 * The view of the page as its address: a copied link shows a colleague the same view.
 *
 *     ?hour=2026-11-20T08&type=checkout&type=payment&q=status>=500&order=desc&show=fields
 *     ?live=on&type=checkout
 *     ?last=15m&type=checkout
 *     ?from=2026-11-20T08:05:00Z&to=2026-11-20T08:07:30Z&q=cart&column=data.path&event=ID&of=checkout
 *     ?hour=2026-11-20T08&page=system&show=rows
 *
 * Names that stand more than once are written one by one: `column=a&column=b`. `columns=a,b` is read too.
 */

export const SCALES = ['linear', 'log'];
export const ORDERS = ['desc', 'asc'];

/** The panels of each page; the first is shown where the address names none. */
export const EVENT_PANELS = ['events', 'fields', 'compare'];
export const SYSTEM_PANELS = ['health', 'sources', 'rows', 'planner'];
const PAGES = { '': EVENT_PANELS, system: SYSTEM_PANELS };

/**
 * The view of an address that says nothing: where the newest events are, all events, in the order that the reader
 * likes.
 */
export const FIRST_VIEW = Object.freeze({
  span: null, last: null, badTime: null, live: false, types: [], q: '', order: 'desc', ordered: false, page: '', show: 'events', columns: [], field: '', event: null, context: false,
  zone: 'utc', refresh: '',
  by: BY_TYPE, measure: COUNT, number: '', scale: 'linear',
});

/**
 * @param {string} order where the address names none
 * @returns a view; `last` is the length of a span that ends now, or null; `badTime` is the text of a time in the
 *     address that is none; `ordered` tells whether the address names an order
 */
export function readView(search, nowMillis = Date.now(), order = ORDERS[0]) {
  const params = new URLSearchParams(search);
  return {
    ...readTime(params, nowMillis),
    live: params.get('live') === 'on',
    types: unique(params.getAll('type')),
    q: params.get('q')?.trim() ?? '',
    order: ORDERS.includes(params.get('order')) ? params.get('order') : order,
    ordered: ORDERS.includes(params.get('order')),
    ...readPanel(params),
    columns: unique([...params.getAll('column'), ...params.getAll('columns').flatMap((names) => names.split(','))]),
    field: params.get('field') ?? '',
    zone: params.get('tz') === 'local' ? 'local' : 'utc',
    refresh: Object.hasOwn(REFRESHES, params.get('refresh') ?? '') ? params.get('refresh') : '',
    by: params.get('by') || BY_TYPE,
    measure: oneOf(MEASURES, params.get('measure')),
    number: params.get('number') ?? '',
    scale: oneOf(SCALES, params.get('scale')),
    event: params.get('event') ? { id: params.get('event'), type: params.get('of') } : null,
    context: params.has('event') && params.get('context') === 'on',
  };
}

/**
 * The search part of the address, what is as at first left out; the empty view is `?`, so that it replaces another. A
 * live one is of now.
 */
export function writeView({ span, last, live, types, q, order, ordered, page, show, columns, field, event, context, by, measure, number, scale, zone, refresh }) {
  const params = new URLSearchParams(live ? { live: 'on' } : last ? { last } : span?.query);
  types.forEach((type) => params.append('type', type));
  if (q) params.set('q', q);
  if (ordered) params.set('order', order);
  if (zone === 'local') params.set('tz', zone);
  if (refresh) params.set('refresh', refresh);
  if (page) params.set('page', page);
  if (show !== PAGES[page][0]) params.set('show', show);
  columns.forEach((column) => params.append('column', column));
  if (field) params.set('field', field);
  if (by !== FIRST_VIEW.by) params.set('by', by);
  if (measure !== FIRST_VIEW.measure) params.set('measure', measure);
  if (number) params.set('number', number);
  if (scale !== FIRST_VIEW.scale) params.set('scale', scale);
  if (event) params.set('event', event.id);
  if (event?.type) params.set('of', event.type);
  if (event && context) params.set('context', 'on');
  return `?${params}`.replaceAll('%3A', ':');
}

/** A panel leads to its page. */
function readPanel(params) {
  const show = params.get('show');
  const [page, panels] = Object.entries(PAGES).find(([, names]) => names.includes(show)) ?? [params.get('page') === 'system' ? 'system' : '', []];
  return { page, show: panels.includes(show) ? show : PAGES[page][0] };
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
