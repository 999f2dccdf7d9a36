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
