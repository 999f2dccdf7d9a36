import assert from 'node:assert/strict';
import { test } from 'node:test';

import { address, Client } from '../../main/web/api/client.js';
import { hourAfter, hourBefore, newestMillis } from '../../main/web/api/nearest-hour.js';
import { adviceFor } from '../../main/web/model/filter/advice.js';
import { Hour } from '../../main/web/model/time/hour.js';
import { refusalOf } from '../../main/web/model/filter/refusal.js';

const answering = (body, init) => new Client(async () => new Response(typeof body === 'string' ? body : JSON.stringify(body), init));
const failureOf = (promise) => promise.then(() => assert.fail('should fail'), (e) => e);

test('an address repeats lists and leaves out what is empty', () => {
  assert.equal(address('api/v1/events', { type: ['a', 'b&c'], limit: 5, cursor: null, order: undefined }), 'api/v1/events?type=a&type=b%26c&limit=5');
  assert.equal(address('api/v1/types', { type: [] }), 'api/v1/types');
});

test('a problem is told with its detail, its status and how long to wait', async () => {
  const problem = { title: 'Service Unavailable', status: 503, detail: 'the store is away' };
  const error = await failureOf(answering(problem, { status: 503, headers: { 'Retry-After': '7' } }).types({}));
  assert.deepEqual([error.status, error.title, error.detail, error.retryAfterSeconds], [503, problem.title, problem.detail, 7]);
  assert.match(adviceFor(error).advice, /wait 7 s/);
});

test('a refusal names its parameter, and of a filter where and why', async () => {
  const refuse = (problem) => failureOf(answering({ title: 'Bad Request', ...problem }, { status: 400 }).types({}));
  const error = await refuse({ detail: 'q: "ms>a": column 4: "a" is no number', parameter: 'q', reason: '"a" is no number', from: 3, to: 4, fix: null });
  assert.equal(error.parameter, 'q');
  assert.deepEqual(refusalOf(error, 'ms>a'), { q: 'ms>a', reason: '"a" is no number', from: 3, to: 4, fix: null });
  assert.equal(refusalOf(await refuse({ detail: 'hour: "x" is not an hour' }), 'ms>a'), null);
  assert.equal(refusalOf(null, 'ms>a'), null);
  assert.equal((await failureOf(answering({ detail: 'q: gone' }, { status: 503 }).types({}))).parameter, null);
});

test('a filter is asked for as it is, and with what is to be joined to it', async () => {
  const asked = [];
  const client = new Client(async (url) => (asked.push(url), new Response('{"q":"a b"}')));
  assert.deepEqual(await client.filter({ q: 'a', and: 'b' }), { q: 'a b' });
  await client.filter({ q: 'a' });
  assert.deepEqual(asked, ['api/v1/filter?q=a&and=b', 'api/v1/filter?q=a']);
});
test('a server that is not there is told at once, one that refuses is not', async () => {
  const away = new Client(async () => { throw new TypeError('Failed to fetch'); });
  const cut = new Client(async () => ({ ok: true, text: async () => { throw new TypeError('network error'); } }));
  const refusing = answering({ title: 'Bad Request' }, { status: 400 });
  const told = [];
  Object.entries({ away, cut, refusing }).forEach(([name, client]) => client.addEventListener('unreached', () => told.push(name)));
  await failureOf(refusing.types({}));
  await failureOf(away.types({}));
  await failureOf(cut.metrics());
  assert.deepEqual(told, ['away', 'cut']);
});

test('an error without a problem, an answer without JSON, no server', async () => {
  assert.equal((await failureOf(answering('<html>', { status: 502, statusText: 'Bad Gateway' }).types({}))).title, 'Bad Gateway');
  assert.match((await failureOf(answering('<html>', { status: 200 }).types({}))).message, /did not answer with JSON/);
  const away = new Client(async () => { throw new TypeError('Failed to fetch'); });
  const error = await failureOf(away.types({}));
  assert.equal(error.status, 0);
  assert.match(adviceFor(error).advice, /running/);
});

test('every error has an advice', () => {
  for (const status of [-1, 0, 400, 401, 403, 404, 418, 429, 500, 502, 503]) assert.ok(adviceFor({ status, title: 't' }).advice, String(status));
  assert.equal(adviceFor(new TypeError('x is undefined')).detail, 'x is undefined');
});

test('the newest event is asked for, of all or up to a time', async () => {
  const asked = [];
  const client = { events: async (query) => (asked.push(query), { events: [{ time: '2018-03-24T17:59:59.9999999Z' }] }) };
  assert.equal(await newestMillis(client), Date.parse('2018-03-24T17:59:59.999Z'));
  await newestMillis(client, Date.parse('2026-11-20T08:30:00Z'));
  assert.deepEqual(asked, [{ to: null, order: 'desc', limit: 1 }, { to: '2026-11-20T08:30:00.001Z', order: 'desc', limit: 1 }]);
  assert.equal(await newestMillis({ events: async () => ({ events: [] }) }), null);
});

test('the nearest hours stand outside the hour', async () => {
  const asked = [];
  const client = { events: async (query) => (asked.push(query), { events: [] }) };
  const hour = Hour.parse('2026-11-20T08');
  assert.equal(await hourBefore(client, hour, ['a']), null);
  assert.equal(await hourAfter(client, hour, ['a']), null);
  assert.deepEqual(asked.map((q) => [q.from, q.to, q.order]), [[undefined, hour.from, 'desc'], [hour.to, undefined, 'asc']]);
});
