import { DAY_MILLIS } from './range.js';

/**
 * Formats and parses local times. Each names its place.
 */

/** The zone of the browser, such as `America/New_York`. */
export const localZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'UTC';

/** `New York`, of the zone's name. */
export const placeOf = (zone) => zone.split('/').at(-1).replaceAll('_', ' ');

/** Whether clocks there show something else than UTC at that instant. */
export const differs = (millis, zone = localZone()) => offsetText(millis, zone) !== 'UTC';

/** `UTC−5`, `UTC+5:30`, or `UTC` where there is no difference. */
export function offsetText(millis, zone = localZone()) {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'shortOffset' }).formatToParts(millis);
  return parts.find(({ type }) => type === 'timeZoneName').value.replace(/^GMT(\+0)?$/, 'UTC').replace('GMT', 'UTC').replace('-', '−');
}

/** `03:00–04:00 in New York (UTC−5)`, with the day where it is not that of UTC; null where clocks show UTC. */
export function localSpan(span, zone = localZone()) {
  if (!differs(span.fromMillis, zone)) return null;
  const [from, to] = [span.fromMillis, span.toMillis].map((millis) => localClock(millis, zone, span.isWithinYear === false));
  return `${from.day === to.day && from.day === from.dayUtc ? '' : `${from.day} `}${from.clock}–${from.day === to.day ? '' : `${to.day} `}${to.clock} in ${placeOf(zone)} (${offsetText(span.fromMillis, zone)})`;
}

/** `Fri 20 Nov 2026, 03:00:00.331 in New York (UTC−5)` of an event's time; null where clocks show UTC. */
export function localInstant(time, zone = localZone()) {
  const millis = Date.parse(time);
  if (Number.isNaN(millis) || !differs(millis, zone)) return null;
  const day = format(zone, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }, millis);
  const clock = format(zone, { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3, hourCycle: 'h23' }, millis);
  return `${day.replace(',', '')}, ${clock} in ${placeOf(zone)} (${offsetText(millis, zone)})`;
}

/** `03:05`, for the tip of a bar; null where clocks show UTC. */
export const localMinute = (millis, zone = localZone()) => (differs(millis, zone) ? localClock(millis, zone).clock : null);

/**
 * The text of a `datetime-local` field for an instant, with milliseconds where there are any, as clocks in a zone have
 * it.
 */
export function fieldText(millis, zone) {
  const offset = offsetMillis(millis, zone);
  return new Date(millis + offset).toISOString().replace(/(\.000)?Z$/, '');
}

/** The instant that such a text means there, or null; where clocks are turned, of two instants the earlier. */
export function fieldMillis(text, zone) {
  const millis = Date.parse(`${text}Z`);
  if (Number.isNaN(millis) || !isDay(text.slice(0, 10))) return null;
  const candidates = [-1, 1].map((days) => millis - offsetMillis(millis + days * DAY_MILLIS, zone));
  return candidates.filter((at) => fieldText(at, zone) === fieldText(millis, 'UTC')).sort((a, b) => a - b)[0] ?? Math.max(...candidates);
}

/** Whether there is such a day: 31 February would be read as one in March. */
function isDay(day) {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day);
}

export function offsetMillis(millis, zone) {
  const [, sign, hours = '0', minutes = '0'] = /UTC(?:([+−])(\d+)(?::(\d+))?)?/.exec(offsetText(millis, zone));
  return (sign === '−' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

function localClock(millis, zone, withYear = false) {
  const day = (timeZone) => format(timeZone, { day: 'numeric', month: 'short', ...(withYear ? { year: 'numeric' } : {}) }, millis);
  const clock = format(zone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', ...(millis % 60_000 ? { second: '2-digit' } : {}) }, millis);
  return { day: day(zone), dayUtc: day('UTC'), clock };
}

const format = (timeZone, options, millis) => new Intl.DateTimeFormat('en-GB', { timeZone, ...options }).format(millis);
