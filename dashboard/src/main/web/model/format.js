/** How numbers, sizes and times read on the page. */

import { numberFormat } from './formats.js';
import { dateText, dayText } from './time/range.js';
import { shownZone, UTC, wall } from './time/zone.js';

const oneDigit = numberFormat({ maximumFractionDigits: 1 });

/** `1,234,567` */
export const count = numberFormat({ maximumFractionDigits: 0 });

/** `1.2M` */
export const compact = numberFormat({ notation: 'compact', maximumFractionDigits: 1 });

/** `1 event`, `2 events` */
export const counted = (n, noun) => `${count(n)} ${noun}${n === 1 ? '' : 's'}`;

/** `8.6 MiB`; null reads as a dash. */
export function bytes(n) {
  if (n == null) return '–';
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  let value = n;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${oneDigit(value)} ${units[unit]}`;
}

/** A rate in events a second: `277.8/s`, `0.3/s`. */
export const perSecond = (n) => `${n >= 100 ? count(n) : oneDigit(n)}/s`;

/** A ratio near one: `1.03`. */
export const ratio = numberFormat({ minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** `42%`; anything that is not nothing shows as at least `<1%`. */
export function percent(share) {
  if (share > 0 && share < 0.01) return '<1%';
  return `${count(share * 100)}%`;
}

const UNITS = [[86_400_000, 'day'], [3_600_000, 'h'], [60_000, 'min'], [1000, 's']];

/** How long something lasted, in its largest unit: `3 s`, `12 min`, `2 days`. */
export function ago(millis) {
  const [unitMillis, unit] = UNITS.find(([length]) => millis >= length) ?? UNITS.at(-1);
  const n = Math.max(0, Math.floor(millis / unitMillis));
  return `${count(n)} ${unit}${unit === 'day' && n !== 1 ? 's' : ''}`;
}

/** The day and the clock of a time, in the zone shown: `20 Nov 08:00:00.000331`. */
export const dayClock = (time, zone = shownZone()) => `${dayText(wall(Date.parse(time), zone))} ${clock(time, zone)}`;

/** The same with the year: `20 Nov 2026 08:00:00.000331`. */
export const dateClock = (time, zone = shownZone()) => `${dateText(wall(Date.parse(time), zone))} ${clock(time, zone)}`;

/** The clock part of a time, to the microsecond, or finer where that carries something: `08:00:00.000331`. */
export function clock(time, zone = shownZone()) {
  const match = /T(\d{2}:\d{2}:\d{2})(?:\.(\d+))?/.exec(time ?? '');
  if (!match) return time ?? '–';
  const [, utc, fraction = ''] = match;
  const hms = zone === UTC ? utc : new Date(wall(Date.parse(time), zone)).toISOString().slice(11, 19);
  return `${hms}.${fraction.replace(/0+$/, '').padEnd(6, '0')}`;
}

const fourDigits = numberFormat({ maximumSignificantDigits: 4 });

/**
 * A number of any size: whole from a thousand on, else to four digits. Null reads as a dash, one with more digits than
 * a double unchanged.
 */
export function figure(n) {
  if (typeof n !== 'number') return n == null ? '–' : String(n);
  return Math.abs(n) >= 1000 ? count(n) : fourDigits(n);
}
