import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fieldsNamed, isKnown, nearestFields, withField } from '../../main/web/model/filter/named-fields.js';

const names = (where) => fieldsNamed(where).map(({ name }) => name);

test('names the fields of an expression, without calls and texts', () => {
  assert.deepEqual(names('data.status >= 500 && data.path.startsWith("/data.no") && data.status < 600'), ['data.status', 'data.path']);
  assert.deepEqual(names('has(data.user.id) || data["user-agent"].contains(\'data.no\')'), ['data.user.id', 'data.user-agent']);
  assert.deepEqual(names('data.items.exists(i, i.sku == "A") && data["a b"].c == 1'), ['data.items', 'data.a b.c']);
  assert.deepEqual(names('data.`user-agent` == "curl" && data.http.`a b`.startsWith("x")'), ['data.user-agent', 'data.http.a b']);
  assert.deepEqual(names('metadata.x == 1 || type == "data.x" || time.getHours() == 1'), []);
  assert.deepEqual(names('data.size() == 1'), []);
});

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
  assert.deepEqual(nearestFields('data.ab', ['data.a`b']), []);
});

test('another field takes the place of one', () => {
  const where = 'data.ms > 1 && data.pth.startsWith("/")';
  const field = fieldsNamed(where)[1];
  assert.equal(withField(where, field, 'data.path'), 'data.ms > 1 && data.path.startsWith("/")');
  assert.equal(withField('data.agent == "x"', fieldsNamed('data.agent == "x"')[0], 'data.user-agent'), 'data.`user-agent` == "x"');
  assert.equal(withField('data.`user-agnt`.v == "x"', fieldsNamed('data.`user-agnt`.v == "x"')[0], 'data.http.status-code'), 'data.http.`status-code` == "x"');
});
