import assert from 'node:assert/strict';
import { test } from 'node:test';

import { TaskStatus } from '@lit/task';

import { WhenBack } from '../../main/web/state/when-back.js';

function host(client) {
  const runs = [];
  const task = (name, status) => ({ status, run: () => runs.push(name) });
  const found = { client, runs, addController: (controller) => (found.controller = controller) };
  new WhenBack(found, task('failed', TaskStatus.ERROR), task('complete', TaskStatus.COMPLETE), task('in words', 'error'), task('ready', 'ready'));
  return found;
}

test('what failed is asked again when the server is back, and nothing else', () => {
  const client = new EventTarget();
  const { controller, runs } = host(client);
  controller.hostUpdated();
  controller.hostUpdated();
  client.dispatchEvent(new Event('back'));
  assert.deepEqual(runs, ['failed', 'in words']);
});

test('an element that is not in the page asks nothing, and does again when it returns', () => {
  const client = new EventTarget();
  const { controller, runs } = host(client);
  controller.hostConnected();
  controller.hostDisconnected();
  client.dispatchEvent(new Event('back'));
  assert.deepEqual(runs, []);
  controller.hostConnected();
  client.dispatchEvent(new Event('back'));
  assert.deepEqual(runs, ['failed', 'in words']);
});

test('an element without a client yet follows it once it has one', () => {
  const found = host(undefined);
  found.controller.hostConnected();
  found.client = new EventTarget();
  found.controller.hostUpdated();
  found.client.dispatchEvent(new Event('back'));
  assert.equal(found.runs.length, 2);
});
