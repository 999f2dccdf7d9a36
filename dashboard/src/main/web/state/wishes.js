import { lastSpan, zoomedOut } from '../model/time/relative.js';
import { readOrder, withColumn } from './column-order.js';
import { askedAgain, openedBy } from './searches.js';

/** Where events are listed. */
const EVENTS = { page: '', show: 'events' };

/**
 * What the parts of the page ask for by their events, as changes of the view. Each has the detail of the event, and the
 * ViewState. A new question about a span that ends now is about now.
 */
export const WISHES = {
  span: (span) => ({ span, live: false }),
  last: (last) => ({ last, span: lastSpan(last, Date.now()), live: false }),
  'zoom-out': (_, { view }) => ({ ...zoomedOut(view, Date.now()), live: false }),
  live: (on) => (on ? { ...EVENTS, live: true, order: 'desc', event: null } : { live: false }),
  zone: (zone) => ({ zone }),
  refresh: (refresh) => ({ refresh }),

  types: (types, { renewed }) => ({ ...renewed, types }),
  /** All that has something in common, across types, as it went. */
  together: (q, { renewed }) => ({ ...renewed, ...EVENTS, types: [], order: 'asc', ordered: true, event: null, live: false, q }),
  search: (search, { renewed }) => ({ ...renewed, ...openedBy(search, Date.now()) }),
  'search-again': (search, { renewed }) => ({ ...renewed, ...askedAgain(search, Date.now()) }),
  row: ({ hour, type }) => ({ span: hour, types: [type], live: false }),

  columns: (columns) => ({ columns }),
  column: (column, { view }) => ({ columns: withColumn(view.columns, column, readOrder()) }),
  field: (field) => ({ page: '', show: 'fields', field }),
  panel: (show) => ({ show }),
  event: (event) => ({ event, ...(event ? {} : { context: false }) }),
  /** The event is above all others, and so are its neighbours. */
  around: (event) => ({ ...EVENTS, event, context: true, live: false }),
};
