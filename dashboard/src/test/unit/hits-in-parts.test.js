import assert from 'node:assert/strict';
import { test } from 'node:test';

import { hitsInParts } from '../../main/web/api/hits-in-parts.js';
import { parseSpan } from '../../main/web/model/time/range.js';
import { stepOf } from '../../main/web/model/time/steps.js';

const MINUTE = 60_000;

/** A server with an event of type `a` each minute, and one of `b` each hour; it notes what it is asked. */
function server(took = () => 0, now = { millis: 0 }) {
  const asked = [];
  const hits = async ({ from, to, step, by, ...query }) => {
    const [first, end] = [Date.parse(from), Date.parse(to)];
    asked.push({ first, end, query });
    now.millis += took(end - first);
    const stepMillis = { '1m': MINUTE, '5m': 5 * MINUTE, '10m': 10 * MINUTE, '15m': 15 * MINUTE, '2h': 120 * MINUTE }[step];
    const counted = (every) => {
      const counts = new Array(Math.ceil((end - first) / stepMillis)).fill(0);
      for (let at = Math.ceil(first / every) * every; at < end; at += every) counts[Math.floor((at - first) / stepMillis)]++;
      return counts;
    };
    const series = [{ type: 'a', counts: counted(MINUTE) }, { type: 'b', counts: counted(60 * MINUTE) }].filter(({ counts }) => counts.some((n) => n > 0));
    const total = series.flatMap(({ counts }) => counts).reduce((a, b) => a + b, 0);
    return { from, to, step_ms: stepMillis, series, total, complete: true };
  };
  return { asked, client: { hits } };
}

test('dropped hours of all parts are named once, the oldest first', async () => {
  const span = parseSpan('2026-11-20T00', '2026-11-21T00');
  const { client } = server();
  const hits = async (query) => ({ ...(await client.hits(query)), ...(Date.parse(query.from) < Date.parse('2026-11-20T08:00:00Z') ? { dropped: ['2026-11-20T02', query.from] } : {}) });
  const answer = await hitsInParts({ hits }, span, stepOf(span), {}, null, () => {});
  assert.equal(answer.dropped[0], '2026-11-20T02');
  assert.equal(new Set(answer.dropped).size, answer.dropped.length);
  assert.equal((await hitsInParts(client, span, stepOf(span), {}, null, () => {})).dropped, undefined);
});

const countsOf = ({ series }) => Object.fromEntries(series.map(({ type, counts }) => [type, counts]));

for (const [from, to] of [['2026-11-20T00', '2026-11-21T00'], ['2026-11-20T07:13:20Z', '2026-11-20T19:58:01Z'], ['2026-11-14T00', '2026-11-21T00']]) {
  test(`parts of ${from} to ${to} add up to the whole, the newest first`, async () => {
    const span = parseSpan(from, to);
    const { asked, client } = server();
    const grown = [];
    const answer = await hitsInParts(client, span, stepOf(span), { q: 'x' }, null, (part) => grown.push(part));
    const whole = await server().client.hits({ from: span.from, to: span.to, step: stepOf(span).text });
    assert.deepEqual([countsOf(answer), answer.total, answer.from, answer.to, answer.step_ms], [countsOf(whole), whole.total, span.from, span.to, whole.step_ms]);
    assert.ok(asked.length > 1 && asked.length < 6, `${asked.length} parts`);
    assert.deepEqual([asked[0].end, asked.at(-1).first], [span.toMillis, span.fromMillis]);
    asked.slice(1).forEach(({ end }, i) => assert.equal(end, asked[i].first));
    assert.ok(asked.every(({ query }) => query.q === 'x'));
    assert.ok(grown.every(({ counted }, i) => counted > (grown[i - 1]?.counted ?? 0) && counted < 1));
    assert.ok(grown.every(({ total }) => total > 0 && total < answer.total));
  });
}

test('a short span is one question', async () => {
  const span = parseSpan('2026-11-20T08', '2026-11-20T09');
  const { asked, client } = server();
  await hitsInParts(client, span, stepOf(span), {}, null, () => assert.fail('a part'));
  assert.equal(asked.length, 1);
});

test('parts are as long as can be answered in good time', async (t) => {
  const now = { millis: 0 };
  t.mock.method(performance, 'now', () => now.millis);
  const span = parseSpan('2026-11-14T00', '2026-11-21T00');
  // An hour of the span takes as long as a part may.
  const { asked, client } = server((millis) => (millis / (60 * MINUTE)) * 400, now);
  await hitsInParts(client, span, stepOf(span), {}, null, () => {});
  assert.ok(asked.slice(1, -1).every(({ first, end }) => end - first <= 4 * 60 * MINUTE));
});

test('what one part lacks is lacking in all', async () => {
  const span = parseSpan('2026-11-20T00', '2026-11-21T00');
  const { client } = server();
  let parts = 0;
  const lacking = { hits: async (query) => ({ ...(await client.hits(query)), complete: parts++ > 0 }) };
  const answer = await hitsInParts(lacking, span, stepOf(span), {}, null, () => {});
  assert.equal(answer.complete, false);
});
