import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';

import { WhileInView } from '../../main/web/state/while-in-view.js';

const { setInterval, clearInterval } = globalThis;
const timers = new Map();
const tick = () => [...timers.values()].forEach(({ run }) => run());

let host;
let acts;

function show(visibilityState) {
  document.visibilityState = visibilityState;
  document.dispatchEvent(new Event('visibilitychange'));
}

beforeEach(() => {
  globalThis.document = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  globalThis.setInterval = (run, everyMillis) => timers.set(timers.size + 1, { run, everyMillis }).size;
  globalThis.clearInterval = (id) => timers.delete(id);
  acts = 0;
  host = { addController: (controller) => Object.assign(host, { controller }) };
  new WhileInView(host, 5_000, () => acts++);
});

afterEach(() => {
  Object.assign(globalThis, { setInterval, clearInterval });
  delete globalThis.document;
  timers.clear();
});

test('acts by the clock while the host is part of the page', () => {
  assert.equal(timers.size, 0);
  host.controller.hostConnected();
  assert.deepEqual([...timers.values()].map((t) => t.everyMillis), [5_000]);
  assert.equal(acts, 0);
  tick();
  tick();
  assert.equal(acts, 2);
});

test('rests while the page is hidden, and acts at once when it is back', () => {
  host.controller.hostConnected();
  show('hidden');
  tick();
  assert.equal(acts, 0);
  show('visible');
  assert.equal(acts, 1);
});

test('a host that left is left alone until it is back', () => {
  host.controller.hostConnected();
  host.controller.hostDisconnected();
  assert.equal(timers.size, 0);
  show('visible');
  assert.equal(acts, 0);
  host.controller.hostConnected();
  tick();
  assert.equal(acts, 1);
});
