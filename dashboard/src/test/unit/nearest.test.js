import assert from 'node:assert/strict';
import { test } from 'node:test';

import { isKnown, nearestFields, nearestOf } from '../../main/web/model/filter/nearest.js';

test('a field is known if events have it or what is in it', () => {
  assert.ok(isKnown('data.user', ['data.user.id']));
  assert.ok(isKnown('data.user.id', ['data.user.id']));
  assert.ok(!isKnown('data.use', ['data.user.id']));
});

test('the nearest fields are those with a slip, or with the same last word', () => {
  const known = ['data.status', 'data.state', 'data.path', 'data.http.method', 'data.ms', 'data.User'];
  assert.deepEqual(nearestFields('data.stauts', known), ['data.status', 'data.state']);
  assert.deepEqual(nearestFields('data.method', known), ['data.http.method']);
  assert.deepEqual(nearestFields('data.request.path', known), ['data.path']);
  assert.deepEqual(nearestFields('data.user', known), ['data.User']);
  assert.deepEqual(nearestFields('data.temperature', known), []);
});

test('the nearest words are those with a slip, in any case', () => {
  assert.deepEqual(nearestOf('eror', ['error', 'warn', 'info']), ['error']);
  assert.deepEqual(nearestOf('ERROR', ['error']), ['error']);
  assert.deepEqual(nearestOf('x', ['checkout']), []);
});
