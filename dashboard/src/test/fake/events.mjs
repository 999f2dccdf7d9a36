/**
 * A made-up store: every hour of two days has events, some hours none. All follows from the hour and the place of an
 * event in it, so nothing is kept, and every run sees the same.
 */

const HOUR_MILLIS = 3_600_000;
const FIRST = Date.parse('2026-11-18T06:00:00Z');
const LAST = Date.parse('2026-11-20T12:00:00Z');
const EMPTY = new Set(['2026-11-20T03', '2026-11-20T04', '2026-11-19T15']);

const TYPES = ['page.view', 'checkout', 'payment', 'login', 'search', 'error', 'email|sent', 'cache.miss', 'cron', 'audit'];
const PATHS = ['/', '/cart', '/checkout', '/account/orders', '/search', '/product/4711', '/api/v2/stock'];

/** A whole number below `below` that follows from the seed (mulberry32). */
export function pick(seed, below) {
  let t = (seed + 0x6d2b79f5) | 0;
  t = Math.imul(t ^ (t >>> 15), t | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) % below;
}

export const hourText = (millis) => new Date(millis).toISOString().slice(0, 13);
export const hourStart = (millis) => Math.floor(millis / HOUR_MILLIS) * HOUR_MILLIS;
export const busyHours = (from, to) =>
  range(Math.max(hourStart(from), FIRST), Math.min(to, LAST + HOUR_MILLIS), HOUR_MILLIS).filter((h) => !EMPTY.has(hourText(h)));

function range(from, to, step) {
  const all = [];
  for (let at = from; at < to; at += step) all.push(at);
  return all;
}

const hours = new Map();

/** Time (microseconds since the hour's start) and type of each event of an hour, in order. */
export function hourOf(start) {
  if (!hours.has(start)) hours.set(start, madeUp(start));
  return hours.get(start);
}

function madeUp(start) {
  const seed = start / HOUR_MILLIS;
  const types = pick(seed, 5) === 0 ? [...TYPES, ...Array.from({ length: 30 }, (_, i) => `job.${i}`)] : TYPES;
  const scale = 0.15 + pick(seed + 1, 100) / 60;
  const events = [];
  for (let minute = 0; minute < 60; minute++) {
    const wave = 1 + 0.45 * Math.sin((minute + pick(seed, 60)) / 7) + (pick(seed + 2, 60) === minute ? 2.2 : 0);
    const size = Math.round(1200 * scale * wave * (0.85 + pick(seed + minute, 30) / 100));
    for (let i = 0; i < size; i++) {
      const micros = minute * 60e6 + Math.floor((i * 60e6) / size) + pick(seed + i, 20);
      const type = types[Math.min(types.length - 1, Math.floor((pick(seed ^ (minute * 9973 + i), 1000) / 1000) ** 2.6 * types.length))];
      events.push({ micros, type });
    }
  }
  return events;
}

/** The time of an event as the API gives it. */
export const timeOf = (start, { micros }) => new Date(start + Math.floor(micros / 1000)).toISOString().replace('Z', `${String(micros % 1000).padStart(3, '0')}0Z`);

/** The i-th event of an hour as the API gives it. */
export function describe(start, i, { micros, type }) {
  const time = timeOf(start, { micros });
  const id = `${(0x10000000 + i).toString(16)}-${hourText(start).slice(8, 10)}e5-11f1-8000-${String(start).slice(-12).padStart(12, '0')}`;
  return { id, time, type, data: payload(type, i) };
}

function payload(type, i) {
  const base = { path: PATHS[pick(i, PATHS.length)], status: [200, 200, 200, 304, 404, 500][pick(i + 1, 6)], ms: pick(i + 2, 900) / 10 };
  const user = { id: 9007199254740993n + BigInt(i), plan: ['free', 'team', 'wall'][pick(i, 3)], tags: ['eu', 'beta', null, true] };
  if (type === 'checkout') return { ...base, basket: { items: Array.from({ length: 1 + pick(i, 4) }, (_, n) => ({ sku: `A-${n}${pick(i, 900)}`, price: 19.9 })), total: 59.7 }, user };
  if (type === 'error') return { ...base, message: 'connection reset by peer', stack: ['at Pool.take(Pool.java:88)', 'at Client.call(Client.java:41)'] };
  return { ...base, agent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36', user };
}
