import { dateFormat } from '../formats.js';

/**
 * An hour of UTC, as a value, and the span of time that most views show. Its text form is that of the API:
 * `2026-11-20T08`.
 */

const TEXT = /^(\d{4})-(\d{2})-(\d{2})T(\d{2})$/;
export const HOUR_MILLIS = 3_600_000;

const longDay = dateFormat({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
const shortDay = dateFormat({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });

const twoDigits = (n) => String(n).padStart(2, '0');

export class Hour {
  #startMillis;

  /** @param {number} millis any instant within the hour, milliseconds since 1970 */
  constructor(millis) {
    this.#startMillis = Math.floor(millis / HOUR_MILLIS) * HOUR_MILLIS;
  }

  /** The hour a text names, or null when it names none. */
  static parse(text) {
    if (!TEXT.test(text ?? '')) return null;
    const millis = Date.parse(`${text}:00:00Z`);
    if (Number.isNaN(millis)) return null;
    const hour = new Hour(millis);
    // Some engines roll 31 February over into March: only a text that reads back the same is a date.
    return hour.text === text ? hour : null;
  }

  /** Start, inclusive. */
  get fromMillis() {
    return this.#startMillis;
  }

  /** End, exclusive. */
  get toMillis() {
    return this.#startMillis + HOUR_MILLIS;
  }

  get from() {
    return `${this.text}:00:00Z`;
  }

  get to() {
    return this.plus(1).from;
  }

  get lengthMillis() {
    return HOUR_MILLIS;
  }

  /** Its parameters in the API. */
  get query() {
    return { hour: this.text };
  }

  /** The word for such a span. */
  get noun() {
    return 'hour';
  }

  get text() {
    return new Date(this.#startMillis).toISOString().slice(0, 13);
  }

  /** `2026-11-20` */
  get day() {
    return this.text.slice(0, 10);
  }

  /** 0 to 23 */
  get ofDay() {
    return Number(this.text.slice(11));
  }

  /** `08:00–09:00`; the last hour of a day ends at 24:00. */
  get span() {
    return `${twoDigits(this.ofDay)}:00–${twoDigits(this.ofDay + 1)}:00`;
  }

  /** `Friday 20 November 2026` */
  get longDay() {
    return longDay(this.#startMillis).replace(',', '');
  }

  /** `Friday 20 November 2026, 08:00–09:00 UTC` */
  title(zone = 'UTC') {
    return `${this.longDay}, ${this.span} ${zone}`;
  }

  /** `between 08:00 and 09:00 UTC on Friday 20 November 2026` */
  within(zone = 'UTC') {
    return `between ${this.span.replace('–', ' and ')} ${zone} on ${this.longDay}`;
  }

  /** `Fri 20 Nov 2026` */
  get shortDay() {
    return shortDay(this.#startMillis).replace(',', '');
  }

  plus(hours) {
    return new Hour(this.#startMillis + hours * HOUR_MILLIS);
  }

  /** The hour of the same day that starts at `ofDay`. */
  atHour(ofDay) {
    return this.plus(ofDay - this.ofDay);
  }

  /** The same hour of another day (`2026-11-20`), or null when that is no date. */
  onDay(day) {
    return Hour.parse(`${day}T${twoDigits(this.ofDay)}`);
  }

  contains(millis) {
    return millis >= this.fromMillis && millis < this.toMillis;
  }

  equals(other) {
    return other instanceof Hour && other.fromMillis === this.fromMillis;
  }
}
