import { Hour } from '../model/time/hour.js';

/**
 * The newest hour with events that has begun by `now`, or null when there is none. Events may come a little
 * early, so the newest event of all could stand in an hour that has hardly begun to fill.
 */
export const latestHour = (client, now, signal) => busyHour(client, { to: new Hour(now).to, order: 'desc' }, signal);

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
