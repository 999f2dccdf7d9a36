import { DAY_MILLIS } from './range.js';

/**
 * A month as a calendar shows it: weeks of days, from Monday on. All of it in UTC, so a zone's days have to be moved by
 * its offset first.
 */

const DAYS = 7;

/** A day as milliseconds of its midnight. */
export const dayOf = (millis) => Math.floor(millis / DAY_MILLIS) * DAY_MILLIS;

/** Weeks of seven midnights each, all those that have a day of the month. */
export function weeksOf(millis) {
  const first = monthOf(millis);
  const next = addMonths(first, 1);
  const begin = first - ((new Date(first).getUTCDay() + 6) % DAYS) * DAY_MILLIS;
  const weeks = [];
  for (let week = begin; week < next; week += DAYS * DAY_MILLIS) weeks.push(Array.from({ length: DAYS }, (_, i) => week + i * DAY_MILLIS));
  return weeks;
}

/** Midnight of the first day of the month. */
export function monthOf(millis) {
  const date = new Date(millis);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

/** Midnight of the same day so many months later, or of the last day of a shorter month. */
export function addMonths(day, months) {
  const date = new Date(day);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months + 1, 0)).getUTCDate();
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, Math.min(date.getUTCDate(), last));
}

/** Where a key leads from a day, or null. */
export function dayAfterKey(key, day) {
  const days = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -DAYS, ArrowDown: DAYS }[key];
  if (days !== undefined) return day + days * DAY_MILLIS;
  if (key === 'PageUp' || key === 'PageDown') return addMonths(day, key === 'PageUp' ? -1 : 1);
  const ofWeek = (new Date(day).getUTCDay() + 6) % DAYS;
  if (key === 'Home') return day - ofWeek * DAY_MILLIS;
  return key === 'End' ? day + (DAYS - 1 - ofWeek) * DAY_MILLIS : null;
}
