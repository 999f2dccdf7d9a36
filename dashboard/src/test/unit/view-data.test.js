import assert from 'node:assert/strict';
import { test } from 'node:test';

import { FIRST_VIEW } from '../../main/web/state/address.js';
import { Hour } from '../../main/web/model/time/hour.js';
import { lastSpan } from '../../main/web/model/time/relative.js';
import { FOLLOW_SECONDS, ViewData } from '../../main/web/state/view-data.js';

const HOUR = Hour.parse('2026-11-20T08');

/** A view whose counts wait until they are answered, and the host that it is updated by. */
function showing(part = {}) {
  const waiting = [];
  const controllers = [];
  const host = {
    updateComplete: Promise.resolve(),
    addController: (controller) => controllers.push(controller),
    requestUpdate: () => (host.updateComplete = Promise.resolve().then(update)),
  };
  const update = () => {
    for (const controller of controllers) controller.hostUpdate?.();
    for (const controller of controllers) controller.hostUpdated?.();
  };
  const count = (query, signal) => new Promise((answer, fail) => {
    waiting.push({ query, signal, answer: (total) => answer({ total, series: [] }) });
    signal.addEventListener('abort', () => fail(signal.reason));
  });
  const client = { hits: count, types: async () => ({ types: [] }), events: async () => ({ events: [] }) };
  const shown = { view: { ...FIRST_VIEW, span: HOUR, types: ['a'], ...part } };
  const data = new ViewData(host, client, () => shown.view);
  const answer = async (total = 7) => {
    for (const one of waiting.splice(0)) one.answer(total);
    await settled(() => !data.running && !data.following);
  };
  const change = async (change) => {
    shown.view = { ...shown.view, ...change };
    await host.requestUpdate();
  };
  const connect = () => controllers.forEach((controller) => controller.hostConnected?.());
  return { data, waiting, answer, change, connect };
}

/** Lets promises go on until something holds. */
async function settled(holds) {
  for (let turns = 0; turns < 100 && !holds(); turns++) await new Promise((go) => setImmediate(go));
  assert.equal(holds(), true);
}

test('a refresh leaves counts under way alone, and comes once they are there', async () => {
  const { data, waiting, answer, change } = showing();
  await change({});
  const first = waiting.length;
  assert.ok(first > 0);
  assert.equal(data.refresh(() => assert.fail('the view moved on')), false);
  assert.deepEqual([waiting.length, waiting.some(({ signal }) => signal.aborted)], [first, false]);
  await answer();
  let renewed = 0;
  assert.equal(data.refresh(() => renewed++), true);
  await settled(() => waiting.length === first);
  assert.deepEqual([renewed, data.following], [1, true]);
});

test('after a refresh the server rests ten times as long as it worked', async (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const { data, waiting, answer, change } = showing();
  await change({});
  await answer();
  data.refresh(() => {});
  await settled(() => waiting.length > 0);
  now = 100;
  await answer();
  now = 1_099;
  assert.equal(data.refresh(() => assert.fail('the view moved on')), false);
  now = 1_100;
  assert.equal(data.refresh(() => {}), true);
});

test('a view changed during a refresh is waited for, and the refresh does not end it', async () => {
  const { data, waiting, answer, change } = showing();
  await change({});
  await answer();
  data.refresh(() => {});
  await settled(() => waiting.length > 0);
  assert.equal(data.running, false);
  await change({ q: 'a:=1' });
  assert.deepEqual([data.following, data.running, data.hits.current], [false, true, false]);
  await answer();
  assert.deepEqual([data.hits.current, data.hits.value.total], [true, 7]);
});

test('what a refresh moves on to is its own question', async () => {
  const { data, waiting, answer, change } = showing();
  await change({});
  await answer();
  data.refresh(() => change({ span: HOUR.plus(1) }));
  await settled(() => waiting.length > 0);
  assert.equal(data.following, true);
  await answer();
  assert.deepEqual([data.following, data.hits.current], [false, true]);
});

test('the hours of the day are counted once they are looked at, or where nothing is found', async () => {
  const ofDay = ({ waiting }) => waiting.map(({ query }) => query.step);
  const looked = showing();
  await looked.change({});
  assert.deepEqual(ofDay(looked), ['1m']);
  await looked.answer();
  assert.deepEqual(ofDay(looked), []);
  looked.data.wantDay();
  await settled(() => looked.waiting.length > 0);
  assert.deepEqual(ofDay(looked), ['1h']);

  const empty = showing();
  await empty.change({});
  await empty.answer(0);
  await settled(() => empty.waiting.length > 0);
  assert.deepEqual(ofDay(empty), ['1h']);
});

test('counts of a span that ends now go on with the clock, its list stays, and what is newer is offered', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval', 'Date'], now: HOUR.fromMillis });
  globalThis.document = { visibilityState: 'visible', addEventListener: () => {} };
  const span = lastSpan('15m', HOUR.fromMillis);
  const { data, waiting, answer, change, connect } = showing({ last: '15m', span });
  connect();
  await change({});
  await answer(100);
  const { pager } = data;
  assert.deepEqual([data.underWay, data.counted, data.received], [true, span, 0]);
  t.mock.timers.tick(FOLLOW_SECONDS * 1000);
  await settled(() => waiting.length > 1);
  assert.deepEqual(waiting.map(({ query }) => [query.from, query.to, query.step]), [
    [data.counted.from, '2026-11-20T08:00:06Z', '10s'],
    ['2026-11-20T08:00:01Z', '2026-11-20T08:00:06Z', '1h'],
  ]);
  assert.equal(data.counted.from, '2026-11-20T07:45:00Z');
  await answer(23);
  assert.deepEqual([data.received, data.pager === pager, data.hits.current], [23, true, true]);
  await change({ span: lastSpan('15m', Date.now()) });
  await answer(123);
  assert.deepEqual([data.received, data.pager === pager], [0, false]);
});

test('a view that refreshes itself is renewed as a whole only', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval', 'Date'], now: HOUR.fromMillis });
  globalThis.document = { visibilityState: 'visible', addEventListener: () => {} };
  const { waiting, answer, change, connect } = showing({ last: '15m', refresh: '5s', span: lastSpan('15m', HOUR.fromMillis) });
  connect();
  await change({});
  await answer();
  t.mock.timers.tick(FOLLOW_SECONDS * 1000);
  await change({});
  assert.equal(waiting.length, 0);
});
