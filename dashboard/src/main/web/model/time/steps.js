import { dateFormat } from '../formats.js';
import { clockText, dateText, dayText, DAY_MILLIS } from './range.js';
import { wall } from './zone.js';

/** The steps that hits are counted in: which one fits a span, and how times on a chart of such steps read. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Each divides the next larger unit, so that bars begin where the clock does. */
const STEPS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500].map((n) => [n, `${n}ms`, `${n} ms`]),
  ...[1, 2, 5, 10, 15, 30].map((n) => [n * SECOND, `${n}s`, n === 1 ? 'second' : `${n} s`]),
  ...[1, 2, 5, 10, 15, 30].map((n) => [n * MINUTE, `${n}m`, n === 1 ? 'minute' : `${n} min`]),
  ...[1, 2, 3, 6, 12].map((n) => [n * HOUR, `${n}h`, n === 1 ? 'hour' : `${n} hours`]),
  ...[1, 2, 7, 14, 30, 90, 365, 730].map((n) => [n * DAY_MILLIS, `${n}d`, n === 1 ? 'day' : `${n} days`]),
].map(([millis, text, name]) => ({ millis, text, name }));

/** As many bars as can be seen and pointed at. */
const BARS_MAX = 100;

/** The finest step that makes no more bars than that: an hour by minutes. */
export const stepOf = (span) => STEPS.find(({ millis }) => span.lengthMillis / millis <= BARS_MAX);

/** `minute`, `10 s` */
export const stepName = (millis) => STEPS.find((step) => step.millis === millis)?.name ?? `${millis} ms`;

/** From this length on, days of a span may have the same name. */
const YEAR_MILLIS = 365 * DAY_MILLIS;

/** From this length on, months say more than days. */
const MONTHS_MILLIS = 120 * DAY_MILLIS;

const monthName = dateFormat({ month: 'short' });

/** The time of a bar: with the day where days differ, and with the year where days repeat. */
export function barText(millis, stepMillis, spanMillis) {
  const at = wall(millis);
  if (spanMillis > YEAR_MILLIS) return dateText(at);
  if (stepMillis >= DAY_MILLIS && at % DAY_MILLIS === 0) return dayText(at);
  return spanMillis > DAY_MILLIS ? `${dayText(at)} ${clockText(at)}` : clockText(at);
}

/** As little as the axis needs: the day where a new one begins, in a long span the month or the year that does. */
export function markText(instant, spanMillis) {
  const millis = wall(instant);
  if (spanMillis <= DAY_MILLIS || millis % DAY_MILLIS !== 0) return clockText(millis);
  const date = new Date(millis);
  if (spanMillis < MONTHS_MILLIS || date.getUTCDate() !== 1) return dayText(millis);
  return date.getUTCMonth() === 0 ? String(date.getUTCFullYear()) : monthName(millis);
}
