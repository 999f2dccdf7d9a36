import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Surroundings } from '../../main/web/state/surroundings.js';

const ITSELF = { id: '5', type: 'a' };
const event = (n) => ({ id: String(n), type: 'a' });
const ids = ({ events }) => events.map(({ id }) => id).join(' ');

/** A client with an event's neighbours from 0 to 9, whose further pages are `pages`. */
function surrounded(sameType, ...pages) {
  const asked = [];
  const client = {
    around: async (query) => (asked.push(query), { events: [4, 5, 6].map(event), cursor: 'later', previous: 'earlier' }),
    events: async (query) => {
      asked.push(query);
      const page = pages.shift();
      if (page instanceof Error) throw page;
      return page;
    },
  };
  return { asked, around: new Surroundings(client, ITSELF, sameType, () => {}) };
}

test('more comes at either end, in time order, until nothing follows', async () => {
  const { asked, around } = surrounded(false, { events: [3, 2].map(event), cursor: 'earliest' }, { events: [7].map(event) });
  await around.start();
  assert.deepEqual([ids(around), around.events.filter((e) => around.isItself(e)).length], ['4 5 6', 1]);
  await around.more('before');
  await around.more('after');
  await around.more('after');
  assert.equal(ids(around), '2 3 4 5 6 7');
  assert.deepEqual([around.hasMore('before'), around.hasMore('after')], [true, false]);
  assert.deepEqual(asked.map(({ id, order, cursor }) => [id, order, cursor]), [['5', undefined, undefined], [undefined, 'desc', 'earlier'], [undefined, 'asc', 'later']]);
});

test('both ends can be asked for at once, each once', async () => {
  const { around } = surrounded(false, { events: [3, 2].map(event) }, { events: [7].map(event) });
  await around.start();
  await Promise.all(['before', 'before', 'after', 'after'].map((end) => around.more(end)));
  assert.equal(ids(around), '2 3 4 5 6 7');
});

test('of its type alone, every page is of that type', async () => {
  const { asked, around } = surrounded(true, { events: [] });
  await around.start();
  await around.more('before');
  assert.deepEqual(asked.map(({ type }) => type), ['a', 'a']);
});

test('an error keeps what is there, and the same end can be asked again', async () => {
  const { around } = surrounded(false, new Error('cut'), { events: [7].map(event) });
  await around.start();
  await around.more('after');
  assert.deepEqual([ids(around), around.error.message], ['4 5 6', 'cut']);
  await around.retry();
  assert.deepEqual([ids(around), around.error], ['4 5 6 7', null]);
});
