import { localZone, offsetMillis, offsetText, placeOf } from './local-time.js';
import { clockText, Range, spanOf } from './range.js';

/**
 * The time zone of the page: UTC, or that of the browser. The page has one, since times in two zones would be
 * misread. Rows are keyed by hours of UTC, so the state of the store is always shown in UTC.
 */

export const UTC = 'UTC';

let shown = UTC;

/** The zone of the view, such as `America/New_York`. */
export const shownZone = () => shown;

/** @param {string} choice utc, or local for the zone of the browser */
export function showZone(choice) {
  shown = choice === 'local' ? localZone() : UTC;
}

/** `UTC` or `New York`, as it stands beside times. */
export const zoneName = (zone = shown) => (zone === UTC ? UTC : placeOf(zone));

const QUARTER_MILLIS = 900_000;

/** Offsets change at most that often; as many are kept as one view needs. */
const KEPT_MAX = 2_000;
const offsets = new Map();

/** An instant moved so that its UTC reads like the clocks of the zone; to be written, never to be asked for. */
export function wall(millis, zone = shown) {
  if (zone === UTC) return millis;
  const key = `${zone} ${Math.floor(millis / QUARTER_MILLIS)}`;
  if (!offsets.has(key)) {
    if (offsets.size >= KEPT_MAX) offsets.clear();
    offsets.set(key, offsetMillis(millis, zone));
  }
  return millis + offsets.get(key);
}

/** A span as the clocks of the zone have it, to be written. */
export function wallSpan(span, zone = shown) {
  if (zone === UTC) return span;
  const [from, to] = [wall(span.fromMillis, zone), wall(span.toMillis, zone)];
  return to > from ? spanOf(from, to) : new TurnedSpan(from, to, [span.fromMillis, span.toMillis].map((at) => offsetText(at, zone)));
}

/** Clocks are turned back within it, and show no later time at its end: `02:00 (UTC+2)–02:00 (UTC+1)`. */
class TurnedSpan extends Range {
  #offsets;

  constructor(fromMillis, toMillis, offsets) {
    super(fromMillis, toMillis);
    this.#offsets = offsets;
  }

  get isWithinDay() {
    return true;
  }

  get span() {
    return [this.fromMillis, this.toMillis].map((at, i) => `${clockText(at)} (${this.#offsets[i]})`).join('–');
  }
}
