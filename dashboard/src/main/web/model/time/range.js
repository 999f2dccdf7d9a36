import { dateFormat } from '../formats.js';
import { Hour, HOUR_MILLIS } from './hour.js';

/**
 * A span of time that is not one hour of UTC: [from, to), whole milliseconds. It reads like an Hour, so that a view may
 * show either.
 */

export const DAY_MILLIS = 24 * HOUR_MILLIS;

/** The years that the API knows. */
export const FIRST_MILLIS = Date.parse('2000-01-01T00:00:00Z');
export const LAST_MILLIS = Date.parse('2100-01-01T00:00:00Z');

/** A time as addresses and answers write it: RFC 3339 with seconds and a zone, or an hour. */
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}(:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2}))?$/;

export class Range {
  constructor(fromMillis, toMillis) {
    this.fromMillis = fromMillis;
    this.toMillis = toMillis;
  }

  get lengthMillis() {
    return this.toMillis - this.fromMillis;
  }

  get from() {
    return timeText(this.fromMillis);
  }

  get to() {
    return timeText(this.toMillis);
  }

  get query() {
    return { from: this.from, to: this.to };
  }

  get noun() {
    return 'range';
  }

  get text() {
    return `${this.from}/${this.to}`;
  }

  /** The day it begins in, `2026-11-20`. */
  get day() {
    return this.#first.day;
  }

  /** `08:05–08:07:30` within a day, `20 Nov 22:00 – 21 Nov 02:00` over several; with the years if they differ. */
  get span() {
    const [from, to] = [this.fromMillis, this.toMillis].map(clockText);
    if (this.isWithinDay) return `${from}–${this.toMillis % DAY_MILLIS === 0 ? '24:00' : to}`;
    const [first, last] = [this.fromMillis, this.toMillis].map(this.isWithinYear ? dayText : dateText);
    return `${first} ${from} – ${last} ${to}`;
  }

  /** What the span leaves open: its day or its year, or nothing. */
  get shortDay() {
    if (this.isWithinDay) return this.#first.shortDay;
    return this.isWithinYear ? String(yearOf(this.fromMillis)) : '';
  }

  title(zone = 'UTC') {
    return this.isWithinDay ? `${this.#first.longDay}, ${this.span} ${zone}` : [`${this.span} ${zone}`, this.shortDay].filter(Boolean).join(' ');
  }

  /** Whether both its ends are in one year. */
  get isWithinYear() {
    return yearOf(this.fromMillis) === yearOf(this.toMillis);
  }

  within(zone = 'UTC') {
    if (this.isWithinDay) return `between ${this.span.replace('–', ' and ')} ${zone} on ${this.#first.longDay}`;
    return `between ${this.span.replace('–', 'and')} ${zone}`;
  }

  get isWithinDay() {
    return Math.floor(this.fromMillis / DAY_MILLIS) === Math.floor((this.toMillis - 1) / DAY_MILLIS);
  }

  /** The range as long as this one that lies so many lengths later. */
  plus(lengths) {
    return spanOf(this.fromMillis + lengths * this.lengthMillis, this.toMillis + lengths * this.lengthMillis);
  }

  /** The same range, begun on another day (`2026-11-20`), or null when that is no date. */
  onDay(day) {
    const start = Hour.parse(`${day}T00`)?.fromMillis;
    if (start === undefined) return null;
    const from = start + (this.fromMillis % DAY_MILLIS);
    return spanOf(from, from + this.lengthMillis);
  }

  contains(millis) {
    return millis >= this.fromMillis && millis < this.toMillis;
  }

  equals(other) {
    return other instanceof Range && other.text === this.text;
  }

  get #first() {
    return new Hour(this.fromMillis);
  }
}

/** The Hour from `fromMillis` to `toMillis` where that is one, else the Range; kept within the years of the API. */
export function spanOf(fromMillis, toMillis) {
  const from = Math.max(FIRST_MILLIS, fromMillis);
  const to = Math.min(LAST_MILLIS, toMillis);
  const isHour = to - from === HOUR_MILLIS && from % HOUR_MILLIS === 0;
  return isHour ? new Hour(from) : new Range(from, Math.max(from + 1, to));
}

/** The span that two texts name, or null when they name none. */
export function parseSpan(from, to) {
  const [fromMillis, toMillis] = [from, to].map(parseTime);
  return fromMillis !== null && toMillis !== null && fromMillis < toMillis ? spanOf(fromMillis, toMillis) : null;
}

function parseTime(text) {
  if (!TIME.test(text ?? '')) return null;
  const millis = Date.parse(text.length === 13 ? `${text}:00:00Z` : text);
  return millis >= FIRST_MILLIS && millis <= LAST_MILLIS ? millis : null;
}

/** Without milliseconds where there are none. */
const timeText = (millis) => new Date(millis).toISOString().replace('.000Z', 'Z');

/** `08:05`, or finer where that carries something. */
export function clockText(millis) {
  const text = new Date(millis).toISOString();
  if (millis % 60_000 === 0) return text.slice(11, 16);
  return millis % 1000 === 0 ? text.slice(11, 19) : text.slice(11, 23);
}

/** `20 Nov` */
export const dayText = dateFormat({ day: 'numeric', month: 'short' });

/** `20 Nov 2026` */
export const dateText = dateFormat({ day: 'numeric', month: 'short', year: 'numeric' });

const yearOf = (millis) => new Date(millis).getUTCFullYear();
