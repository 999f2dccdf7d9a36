import assert from 'node:assert/strict';
import { test } from 'node:test';

import { KEPT_LENGTH_MAX, KEPT_MAX, LiveFeed } from '../../main/web/state/live-feed.js';

const event = (n) => `{"id":"e${n}","time":"2026-11-20T08:00:00.0000000Z","type":"t","data":{"n":${n}}}`;
const message = (n, kind = '') => `id: p${n}\n${kind}data: ${event(n)}\n\n`;

/**
 * A feed over one connection, whose pieces come when they are sent; resolves when what was sent is shown, or counted.
 */
function feedOf(query = {}, found = [{ time: '2026-11-20T08:00:01.0000001Z' }, { time: '2026-11-20T08:00:00.0000001Z' }]) {
  const asked = [];
  const waiting = [];
  let deliver;
  const client = {
    events: async (of) => (asked.push(of), { events: found }),
    tail: async (of, lastId, signal) => {
      asked.push(of);
      // An end of its own, as of a real connection: its timer would keep the process for 45 s.
      const aborted = new Promise((resolve) => signal.addEventListener('abort', () => resolve(''), { once: true }));
      return (async function* () {
        for (;;) {
          const next = new Promise((resolve) => ((deliver = resolve), waiting.splice(0).forEach((run) => run())));
          yield await Promise.race([next, aborted]);
        }
      })();
    },
  };
  let updated = () => {};
  const feed = new LiveFeed({ requestUpdate: () => updated() }, client, query);
  const send = async (text) => {
    if (!deliver) await new Promise((resolve) => waiting.push(resolve));
    const done = new Promise((resolve) => (updated = resolve));
    const now = deliver;
    deliver = null;
    now(text);
    await done;
  };
  return { feed, send, asked };
}

const ids = (feed) => feed.events.map(({ id }) => id).join(' ');

test('what comes is shown newest first, late ones marked', async () => {
  const { feed, send, asked } = feedOf();
  await send(message(1) + message(2));
  await send(message(0, 'event: late\n'));
  assert.equal(ids(feed), 'e0 e2 e1');
  assert.deepEqual(feed.events.map(({ late }) => late ?? false), [true, false, false]);
  assert.equal(asked[1].since, '2026-11-20T08:00:00.0000001Z');
  feed.stop();
});

test('while it is held what is shown stays, and what comes is counted', async () => {
  const { feed, send } = feedOf();
  await send(message(1));
  feed.hold(true);
  await send(message(2) + message(3));
  assert.deepEqual([ids(feed), feed.waiting], ['e1', 2]);
  feed.hold(false);
  assert.deepEqual([ids(feed), feed.waiting], ['e3 e2 e1', 0]);
  feed.stop();
});

test('an event that comes twice is shown once', async () => {
  const { feed, send } = feedOf();
  await send(message(1) + message(2) + message(1, 'event: late\n'));
  assert.deepEqual([ids(feed), feed.received], ['e2 e1', 2]);
  feed.stop();
});

test('only so many are kept, however many come', async () => {
  const { feed, send } = feedOf();
  await send(Array.from({ length: KEPT_MAX + 10 }, (_, n) => message(n)).join(''));
  assert.deepEqual([feed.events.length, feed.events[0].id, feed.events.at(-1).id, feed.received, feed.gone], [KEPT_MAX, `e${KEPT_MAX + 9}`, 'e10', KEPT_MAX + 10, 10]);
  feed.stop();
});

test('only so much is kept, however large the events are', async () => {
  const { feed, send } = feedOf();
  const large = (n) => `id: p${n}\ndata: {"id":"e${n}","type":"t","data":"${'x'.repeat(KEPT_LENGTH_MAX / 4)}"}\n\n`;
  await send([1, 2, 3, 4, 5].map(large).join(''));
  assert.deepEqual([ids(feed), feed.received, feed.gone], ['e5 e4 e3', 5, 2]);
  await send(message(6));
  assert.equal(ids(feed), 'e6 e5 e4 e3');
  feed.stop();
});

test('what was missed is told until it is put away', async () => {
  const { feed, send } = feedOf();
  await send('id: p9\nevent: missed\ndata: {"from":"a","to":"b","events":"/api/v1/events?limit=all"}\n\nid: p10\nevent: gap\ndata: {"to":"c"}\n\n');
  assert.deepEqual(feed.notices.map(({ kind, to }) => `${kind} ${to}`), ['missed b', 'gap c']);
  feed.dismiss(feed.notices[0]);
  assert.deepEqual(feed.notices.map(({ kind }) => kind), ['gap']);
  feed.stop();
});

test('what the store lacks is told by its names', async () => {
  const { feed, send } = feedOf();
  await send(`id: p1\nevent: gap\ndata: {"missing":["hours/keep/2026-11-20T08"],"detail":"lacks"}\n\n${message(2)}`);
  assert.deepEqual(feed.notices, [{ kind: 'gap', missing: ['hours/keep/2026-11-20T08'], detail: 'lacks' }]);
  assert.equal(ids(feed), 'e2');
  feed.stop();
});

test('an event that the filter takes too much for is told, and what comes behind it shown', async () => {
  const { feed, send } = feedOf({ q: 'data.l.all(a, a > 0)' });
  await send(`id: p1\nevent: failed\ndata: {"status":400,"detail":"where: too much","event":"/api/v1/events/e1?type=t"}\n\n${message(2)}`);
  assert.deepEqual(feed.notices, [{ kind: 'failed', status: 400, detail: 'where: too much', event: '/api/v1/events/e1?type=t' }]);
  assert.equal(ids(feed), 'e2');
  feed.stop();
});

test('where there is nothing yet it begins where the search for it ended', async () => {
  const { feed, send, asked } = feedOf({}, []);
  await send(message(1));
  assert.equal(asked[1].since, asked[0].to);
  feed.stop();
});

test('with a filter nothing is searched for before it begins', async () => {
  const { feed, send, asked } = feedOf({ q: 'a:=1' });
  await send(message(1));
  assert.equal(asked.length, 1);
  assert.ok(Date.now() - Date.parse(asked[0].since) < 120_000);
  feed.stop();
});

test('the rate is that of what is new, over ten seconds at the most', async (t) => {
  let millis = 100_000;
  t.mock.method(performance, 'now', () => millis);
  const { feed, send } = feedOf();
  assert.equal(feed.rate, 0);
  await send(message(1) + message(2) + message(3));
  millis += 1000;
  assert.equal(feed.rate, 0);
  await send(message(4) + message(5));
  millis += 1000;
  assert.equal(feed.rate, 2);
  millis += 1000;
  assert.equal(feed.rate, 1);
  millis += 8000;
  assert.equal(feed.rate, 0.2);
  millis += 1000;
  assert.equal(feed.rate, 0);
  feed.stop();
});
