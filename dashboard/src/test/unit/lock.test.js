import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Client } from '../../main/web/api/client.js';

/** A client of a server that asks for a key until it has one: `asked` has what came, in order. */
function locked() {
  const server = { open: false, asked: [] };
  const client = new Client(async (url, { method = 'GET', signal }) => {
    server.asked.push(`${method} ${url}`);
    signal?.throwIfAborted();
    if (method === 'POST') return new Response(null, { status: server.open ? 204 : 401 });
    return server.open ? new Response('{"types":[]}') : new Response('{}', { status: 401 });
  });
  let events = 0;
  client.lock.addEventListener('locked', () => events++);
  return { server, client, lockedEvents: () => events };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('requests without a key wait for the sign-in, and are sent again', async () => {
  const { server, client, lockedEvents } = locked();
  const answers = Promise.all([client.types({}), client.types({ hour: 'x' })]);
  await turn();
  assert.equal(client.lock.closed, true);
  assert.equal(lockedEvents(), 1, 'told once');
  server.open = true;
  client.lock.open();
  assert.deepEqual(await answers, [{ types: [] }, { types: [] }]);
  assert.equal(server.asked.length, 4);
  assert.equal(client.lock.closed, false);
});

test('a refusal from before the sign-in does not close the lock again', async () => {
  const { server, client, lockedEvents } = locked();
  const answer = client.types({}); // its refusal is on its way
  client.lock.open();
  server.open = true;
  assert.deepEqual(await answer, { types: [] });
  assert.equal(lockedEvents(), 0);
});

test('a question that is given up does not wait for the sign-in, nor is it sent again', async () => {
  const { server, client } = locked();
  const question = new AbortController();
  const answer = client.types({}, question.signal).then(() => assert.fail('answered'), (e) => e);
  await turn();
  question.abort();
  assert.equal((await answer).name, 'AbortError');
  server.open = true;
  client.lock.open();
  await turn();
  assert.equal(server.asked.length, 1);
});

test('a wrong key is told, not waited for; no session is one of a server without keys', async () => {
  const { client } = locked();
  await assert.rejects(client.signIn('hg_wrong'), { status: 401 });
  await assert.rejects(client.session(), { status: 401 });
  assert.equal(client.lock.closed, false);
  const slowed = new Client(async () => new Response('{}', { status: 429, headers: { 'Retry-After': '9' } }));
  await assert.rejects(slowed.signIn('hg_wrong'), { status: 429, retryAfterSeconds: 9 });
  const open = new Client(async () => new Response(null, { status: 204 }));
  assert.equal(await open.session(), null);
});
