import { Hour } from '../model/time/hour.js';

/** The time of the newest event that is not later than `notAfter`, or of all; null when there is none. */
export async function newestMillis(client, notAfter = null) {
  const to = notAfter === null ? null : new Date(notAfter + 1).toISOString();
  const { events } = await client.events({ to, order: 'desc', limit: 1 });
  return events.length === 0 ? null : Date.parse(events[0].time);
}

/** The nearest hour with events before `hour`, or null. */
export const hourBefore = (client, hour, types, signal) =>
  busyHour(client, { to: hour.from, order: 'desc', type: types }, signal);

/** The nearest hour with events after `hour`, or null. */
export const hourAfter = (client, hour, types, signal) =>
  busyHour(client, { from: hour.to, order: 'asc', type: types }, signal);

/** One event is enough; the server's directory of hours makes this cheap at any distance. */
async function busyHour(client, query, signal) {
  const { events } = await client.events({ ...query, limit: 1 }, signal);
  return events.length === 0 ? null : new Hour(Date.parse(events[0].time));
}
