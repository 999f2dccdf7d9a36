import assert from 'node:assert/strict';
import { test } from 'node:test';

import { isGroupId } from '../../main/web/model/group-ids.js';

const names = (...all) => all.filter((name) => isGroupId(name, 'x1'));

test('ids of groups are known by their names', () => {
  const ids = ['session', 'data.session', 'trace_id', 'traceId', 'request-id', 'correlation', 'order.id', 'data.cart_id', 'parentID', 'TRACE_ID', 'job.uuid', 'User'];
  assert.deepEqual(names(...ids), ids);
});

test('the id of the event itself is none, nor is a word that ends like one', () => {
  assert.deepEqual(names('id', 'paid', 'valid', 'message', 'data.android', 'sessions', 'GUID'), []);
});

test('only a text or a number is an id', () => {
  assert.deepEqual([12, '', null, true, {}, []].map((value) => isGroupId('session', value)), [true, false, false, false, false, false]);
});
