import assert from 'node:assert/strict';
import { test } from 'node:test';

import { EventPager } from '../../main/web/api/event-pager.js';

/** Answers pages in turn; an Error among them is thrown. */
function pages(...answers) {
  const asked = [];
  const client = {
    events: async (query) => {
      asked.push(query);
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return { rows: { asked: 2, answered: 2 }, complete: true, cursor: null, ...answer };
    },
  };
  const seen = [];
  const pager = new EventPager(client, { hour: 'h', order: 'asc' }, () => seen.push(pager.status));
  return { pager, asked, seen };
}

const ids = (pager) => pager.events.map((e) => e.id).join('');

test('follows the cursor to the end', async () => {
  const { pager, asked, seen } = pages({ events: [{ id: 'a' }, { id: 'b' }], cursor: 'c1' }, { events: [{ id: 'c' }] });
  await pager.start();
  assert.ok(pager.hasMore);
  await pager.more();
  assert.equal(ids(pager), 'abc');
  assert.deepEqual(asked.map((q) => q.cursor), [null, 'c1']);
  assert.deepEqual(seen, ['loading', 'ready', 'more', 'ready']);
  await pager.more();
  assert.equal(asked.length, 2);
});

test('asks for a page once, however often it is told to', async () => {
  const { pager, asked } = pages({ events: [{ id: 'a' }], cursor: 'c1' }, { events: [{ id: 'b' }], cursor: 'c2' });
  await pager.start();
  await Promise.all([pager.more(), pager.more(), pager.more()]);
  assert.equal(asked.length, 2);
});

test('an error keeps what came, and the same page is asked again', async () => {
  const { pager, asked, seen } = pages({ events: [{ id: 'a' }], cursor: 'c1' }, new Error('cut'), { events: [{ id: 'b' }] });
  await pager.start();
  await pager.more();
  assert.equal(pager.error.message, 'cut');
  assert.equal(ids(pager), 'a');
  await pager.retry();
  assert.equal(ids(pager), 'ab');
  assert.equal(pager.error, null);
  assert.deepEqual(asked.map((q) => q.cursor), [null, 'c1', 'c1']);
  assert.deepEqual(seen.slice(-3), ['error', 'more', 'ready']);
});

test('a failure stays until there is an answer, and the end has its time', async () => {
  const { pager } = pages(new Error('cut'), { events: [{ id: 'a' }], cursor: 'c1' }, { events: [] });
  await pager.start();
  const again = pager.retry();
  assert.deepEqual([pager.status, pager.error, pager.failure.message], ['loading', null, 'cut']);
  await again;
  assert.deepEqual([pager.failure, pager.endedAtMillis], [null, null]);
  await pager.more();
  assert.ok(Math.abs(pager.endedAtMillis - Date.now()) < 60_000);
});

test('remembers that a page was not whole', async () => {
  const { pager } = pages({ events: [{ id: 'a' }], cursor: 'c', complete: false, rows: { asked: 12, answered: 11 } }, { events: [] });
  await pager.start();
  await pager.more();
  assert.deepEqual(pager.missing, { asked: 12, answered: 11 });
});

test('a cancelled one stays silent', async () => {
  const { pager, seen } = pages({ events: [{ id: 'a' }] });
  const started = pager.start();
  pager.cancel();
  await started;
  assert.deepEqual(seen, ['loading']);
});

/** Answers streams in turn, each a list of pieces; an Error among the pieces breaks it. */
function streams(...answers) {
  const asked = [];
  const client = {
    eventLines: async (query) => {
      asked.push(query.cursor);
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return (async function* () {
        for (const piece of answer) {
          if (piece instanceof Error) throw piece;
          yield piece;
        }
        asked.push('ended');
      })();
    },
    cursorBehind: async ({ id }) => (id === 'last' ? null : `behind ${id}`),
    events: async (query) => (asked.push(`page ${query.limit}`), { events: [{ id: 'p' }], cursor: null }),
  };
  const seen = [];
  const pager = new EventPager(client, { hour: 'h', q: 'a:=1' }, () => seen.push(`${pager.status} ${pager.events.length}`));
  return { pager, asked, seen };
}

const lines = (...all) => all.map((id) => `{"id":"${id}"}\n`).join('');
const numbered = (n, from = 0) => lines(...Array.from({ length: n }, (_, i) => from + i));

test('with a filter events are shown as they are found, however the pieces are cut', async () => {
  const { pager, asked, seen } = streams([lines('a') + '{"id"', ':"b"}\n', lines('c')]);
  await pager.start();
  assert.equal(ids(pager), 'abc');
  assert.deepEqual(seen, ['loading 0', 'loading 1', 'loading 2', 'loading 3', 'ready 3']);
  assert.deepEqual(asked, [null, 'ended']);
  assert.equal(pager.hasMore, false);
});

test('a stream is left once the page is full, and the next one begins behind its last event', async () => {
  const { pager, asked } = streams([numbered(150), numbered(60, 150), numbered(9, 900)], [numbered(3, 200)]);
  await pager.start();
  assert.equal(pager.events.length, 200);
  assert.ok(pager.hasMore);
  await pager.more();
  assert.deepEqual(pager.events.map((e) => e.id), Array.from({ length: 203 }, (_, i) => String(i)));
  assert.deepEqual(asked, [null, 'behind 199', 'ended']);
});

test('where nothing follows the last event, the search is over', async () => {
  const { pager, asked } = streams([numbered(199) + lines('last'), '\n']);
  await pager.start();
  await pager.more();
  assert.deepEqual([pager.events.length, pager.hasMore, asked.length], [200, false, 1]);
});

test('a stream that breaks keeps what was found, and goes on behind it', async () => {
  const { pager, asked, seen } = streams([lines('a', 'b') + '{"id":"c', new Error('cut')], [lines('c')]);
  await pager.start();
  assert.deepEqual([ids(pager), pager.error.message], ['ab', 'cut']);
  await pager.retry();
  assert.equal(ids(pager), 'abc');
  assert.deepEqual(asked, [null, 'behind b', 'ended']);
  assert.equal(seen.at(-1), 'ready 3');
});

test('lines of progress are no events', async () => {
  const progress = (answered) => `{"progress":{"rows_asked":12,"rows_answered":${answered}}}\n`;
  const { pager } = streams([progress(0), lines('a'), progress(3), lines('b')]);
  await pager.start();
  assert.deepEqual([ids(pager), pager.progress], ['ab', { asked: 12, answered: 3 }]);
});

test('a stop keeps what came, and the rest is asked for behind it', async () => {
  const signals = [];
  const client = {
    eventLines: async (query, signal) => {
      signals.push(query.cursor);
      return (async function* () {
        yield lines('a');
        if (signals.length > 1) return;
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      })();
    },
    cursorBehind: async ({ id }) => `behind ${id}`,
  };
  let told = () => {};
  const pager = new EventPager(client, { hour: 'h', q: 'a:=1' }, () => told());
  const found = new Promise((resolve) => (told = () => pager.events.length === 1 && resolve()));
  const searched = pager.start();
  await found;
  pager.stop();
  await searched;
  assert.deepEqual([pager.status, pager.failure, ids(pager), pager.hasMore], ['stopped', null, 'a', true]);
  await pager.retry();
  assert.deepEqual([pager.status, ids(pager), signals], ['ready', 'aa', [null, 'behind a']]);
});

test('what is too much to read at once is read in pages', async () => {
  const { pager, asked } = streams(Object.assign(new Error('too much'), { bound: 'query.max-bytes' }));
  await pager.start();
  assert.deepEqual([ids(pager), asked], ['p', [null, 'page 200']]);
});
