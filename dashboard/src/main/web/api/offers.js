import { distinct, isMissing, nearestFieldOffers, nearestValueOffers, offersOf, RANK, testsOf } from '../model/filter/offers.js';
import { Hour } from '../model/time/hour.js';
import { lastSpan } from '../model/time/relative.js';
import { spanOf } from '../model/time/range.js';

/** Questions that are asked at the same time. */
const AT_ONCE = 3;

/** Names of fields, and frequent values of a field, that another one may be nearest to. */
const FIELDS = 1_000;
const VALUES = 200;

/** Types that are offered one by one. */
const TYPES = 3;

/** More is not read for an offer. */
const BYTES_MAX = 1 << 30;

/** One step over everything: only the total is wanted. */
const STEP = '90d';

const LASTS = { '24h': 'in the last 24 hours', '7d': 'in the last 7 days' };

/**
 * Looks for what may have been meant by a view without events, and tells each offer that has some.
 *
 * @param {import('./client.js').Client} client
 * @param view with a span, `types` and `q`
 * @param {import('../state/filter-meanings.js').Meaning} meaning of `q`
 * @param {(offer: {rank: number, says: string, code: string | null, events: number, change: object, newest?: string}) => void} tell with the change of the
 *     view that it is; `newest`: the time of its newest event
 * @returns {Promise<{missing: string[], sampled: boolean}>} fields of the filter that no event of the span has, once all is asked;
 *     a question that fails is left out
 */
export async function findOffers(client, view, meaning, tell, signal, now = Date.now()) {
  const { span, types, q } = view;
  const base = { ...span.query, type: types };
  const work = [];
  const found = { missing: [], sampled: false };
  const count = async (query) => (await client.hits({ ...query, step: STEP }, signal)).total;
  const ask = (offer) => async () => {
    const events = await count({ ...base, q: offer.q });
    if (events > 0) tell({ ...offer, events, change: { q: offer.q } });
  };
  const offered = new Set();
  const askAll = (offers) => {
    for (const offer of distinct(offers, q)) {
      if (offered.has(offer.q)) continue;
      offered.add(offer.q);
      work.push(ask(offer));
    }
  };

  work.push(async () => {
    const { fields, sampled, more } = meaning.fields.length > 0 ? await client.fields({ ...base, n: FIELDS }, signal) : { fields: [] };
    const known = fields.map(({ field }) => field);
    found.sampled = sampled !== undefined;
    if (!more) found.missing = [...new Set(meaning.fields.map(({ field }) => field))].filter((name) => isMissing(name, known));
    askAll(nearestFieldOffers(meaning, known));
    for (const test of testsOf(meaning)) {
      if (!test.value || !known.includes(test.name)) continue;
      work.push(async () => {
        const { values } = await client.top({ ...base, field: test.name, n: VALUES }, signal);
        askAll(nearestValueOffers(meaning, test, values.map(({ value }) => value)));
      });
    }
  });
  if (types.length > 0) work.push(() => ofOtherTypes(client, view, tell, signal));
  work.push(() => ofOtherTimes(client, view, count, tell, signal, now));
  askAll(offersOf(meaning));
  await runAll(work, signal);
  return found;
}

/** Runs what there is and what comes to it; the failure of one ends none of the others. */
async function runAll(work, signal) {
  const running = new Set();
  while ((work.length > 0 || running.size > 0) && !signal.aborted) {
    while (work.length > 0 && running.size < AT_ONCE) {
      const one = work.shift()().catch(() => {}).finally(() => running.delete(one));
      running.add(one);
    }
    await Promise.race(running);
  }
}

async function ofOtherTypes(client, { span, types, q }, tell, signal) {
  const { types: all } = await client.types({ ...span.query, q }, signal);
  const others = all.filter(({ type, count }) => count > 0 && !types.includes(type)).sort((a, b) => b.count - a.count);
  const events = others.reduce((sum, { count }) => sum + count, 0);
  if (others.length > 1) tell({ rank: RANK.types, says: 'in all types', code: null, events, change: { types: [] } });
  for (const { type, count } of others.slice(0, TYPES)) tell({ rank: RANK.types, says: 'in type', code: type, events: count, change: { types: [type] } });
}

/** Where the newest event is that fits; then how many there are until then. */
async function ofOtherTimes(client, { span, types, q }, count, tell, signal, now) {
  const query = { type: types, q };
  const spans = [{}, ...Object.keys(LASTS).reverse().map((length) => lastSpan(length, now).query)];
  const within = await widest(client, query, spans, signal);
  if (within === null) return;
  const end = async (order) => (await client.events({ ...query, ...within, order, limit: 1 }, signal)).events[0];
  const last = await end('desc');
  if (!last) return;
  const newest = Date.parse(last.time);
  const add = async (says, shown, change, rank = RANK.time) => {
    const isWider = shown.fromMillis < span.fromMillis || shown.toMillis > span.toMillis;
    const events = isWider ? await count({ ...query, ...shown.query }) : 0;
    if (events > 0) tell({ rank, says, code: null, events, change, newest: last.time });
  };
  const hour = new Hour(newest);
  await add('in the hour of the newest one', hour, { span: hour, last: null });
  for (const [length, says] of Object.entries(LASTS)) {
    const shown = lastSpan(length, now);
    if (shown.contains(newest)) await add(says, shown, { span: shown, last: length });
  }
  const first = await end('asc');
  const all = first && spanOf(new Hour(Date.parse(first.time)).fromMillis, hour.plus(1).fromMillis);
  if (all && !all.equals(hour)) await add(within.from === undefined ? 'at any time' : 'in all of that time', all, { span: all, last: null });
}

/** The first of some spans of which there is not too much to read, or null. */
async function widest(client, query, spans, signal) {
  for (const span of spans) {
    const { bytes } = await client.plan({ ...query, ...span }, signal);
    if (bytes <= BYTES_MAX) return span;
  }
  return null;
}
