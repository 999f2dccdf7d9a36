import { kindOf } from './json-preview.js';

/** Fields whose values several events share because they belong together: a session, a trace, an order. */

const GROUPS = new Set([
  'session', 'trace', 'request', 'correlation', 'transaction', 'conversation', 'causation', 'flow', 'workflow', 'visit', 'visitor', 'user', 'account', 'customer', 'order', 'job',
]);

/**
 * `order_id`, `order-id`, `orderId`, `ORDER_ID`, `order.uuid`; not `id` by itself, which is of the event, nor `paid`.
 */
const NAMED_ID = /(?:[a-z0-9][._-](?:id|uuid)|[a-z0-9](?:Id|ID|Uuid|UUID)|[A-Z0-9][._-](?:ID|UUID))$/;

/** @param {string} name of a field, the last part of its path or all of it */
export function isGroupId(name, value) {
  const last = name.slice(name.lastIndexOf('.') + 1);
  const named = NAMED_ID.test(name) || GROUPS.has(last.toLowerCase());
  const text = String(value ?? '');
  return named && text !== '' && ['string', 'number'].includes(kindOf(value));
}
