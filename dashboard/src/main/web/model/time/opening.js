import { Hour, HOUR_MILLIS } from './hour.js';
import { lastSpan } from './relative.js';

/** Where the page opens, by the times of the newest events. */

/** The length that is shown where it has events. */
const LENGTH = '60m';

/** So far ahead of the reader's clock an event is still one of now: clocks differ a little. */
export const AHEAD_MILLIS = 60_000;

/**
 * The span where the newest events are: the last hour, if there are any, else the hour of the newest. Events that are
 * ahead of the clock, as those of another time zone may be, are shown only where there are no others.
 *
 * @param {number} newest the time of the newest event
 * @param {number | null} past that of the newest that is not ahead of the clock; null where all are
 * @returns {{part: {span: object, last: string | null}, old: number | null, ahead: number | null}} the part of the view
 *     that changes; what is to be said: how old the newest events are, and the time of the newest where it is ahead
 */
export function openingOf(newest, past, nowMillis) {
  const ahead = newest > nowMillis + AHEAD_MILLIS ? newest : null;
  const isRecent = past !== null && past > nowMillis - HOUR_MILLIS;
  if (isRecent) return { part: { span: lastSpan(LENGTH, nowMillis), last: LENGTH }, old: null, ahead };
  return { part: { span: new Hour(past ?? newest), last: null }, old: past === null ? null : nowMillis - past, ahead };
}
