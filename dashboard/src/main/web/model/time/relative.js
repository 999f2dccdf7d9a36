import { HOUR_MILLIS } from './hour.js';
import { DAY_MILLIS, spanOf } from './range.js';
import { stepOf } from './steps.js';

/** Spans that end now, by their length in the address (`15m`), and the way out of any span. */

const LENGTH = /^([1-9]\d{0,4})([smhd])$/;
const UNITS = { s: 1000, m: 60_000, h: HOUR_MILLIS, d: DAY_MILLIS };

/** The longest length of an address; the API knows no more than a hundred years. */
const DAYS_MAX = 99_999;

/**
 * The span of a length to the end of the present second, so with the newest events; null for no length. It begins with
 * a step of its chart, up to a step earlier: so two readers who look at the same time see the same bars.
 */
export function lastSpan(length, nowMillis) {
  const millis = millisOf(length);
  if (millis === null) return null;
  const to = endOfSecond(nowMillis);
  return onStep(spanOf(to - millis, to));
}

/**
 * What shows twice as much time as a view, around its middle. A span that time is in, or that would reach beyond now,
 * ends now instead; one that ends now goes on to do so.
 *
 * @param {{span: object, last: string | null}} view
 * @returns {{span: object, last: string | null}} the part of the view that changes
 */
export function zoomedOut({ span, last }, nowMillis) {
  if (last !== null || span.contains(nowMillis)) {
    const length = lengthOf(2 * (millisOf(last) ?? span.lengthMillis));
    return { last: length, span: lastSpan(length, nowMillis) };
  }
  const reach = Math.ceil(span.toMillis + span.lengthMillis / 2);
  const to = span.toMillis <= nowMillis ? Math.min(reach, endOfSecond(nowMillis)) : reach;
  return { last: null, span: onStep(spanOf(to - 2 * span.lengthMillis, to)) };
}

const endOfSecond = (millis) => Math.ceil((millis + 1) / 1000) * 1000;

/** The span, begun with a step of the chart that is drawn of it. */
function onStep(span) {
  const { millis } = stepOf(span);
  const from = Math.floor(span.fromMillis / millis) * millis;
  if (from === span.fromMillis) return span;
  const longer = spanOf(from, span.toMillis);
  // A span that is longer may have longer steps.
  return longer.fromMillis < span.fromMillis ? onStep(longer) : span;
}

/** Null for no length. */
function millisOf(length) {
  const [, n, unit] = LENGTH.exec(length ?? '') ?? [];
  return n === undefined ? null : n * UNITS[unit];
}

/** In the largest unit that it has at least two of: `30m`, `24h`. It may be a hundredth longer. */
function lengthOf(millis) {
  const [unit, of] = Object.entries(UNITS).findLast(([, of]) => millis >= 2 * of && (millis % of === 0 || millis >= 100 * of)) ?? ['s', UNITS.s];
  return `${Math.min(DAYS_MAX, Math.ceil(millis / of))}${unit}`;
}
