import assert from 'node:assert/strict';
import { test } from 'node:test';

import { accessOf, scopesText, typesText } from '../../main/web/model/access.js';

const lacks = (scopes, types = ['*']) => Object.entries(accessOf({ name: 'ada', scopes, types })).filter(([, why]) => why !== null).map(([part]) => part);

test('what a key lacks goes by its scopes and types', () => {
  assert.deepEqual(lacks(['query']), ['metrics', 'push']);
  assert.deepEqual(lacks(['query', 'metrics', 'ingest']), []);
  assert.deepEqual(lacks(['query', 'metrics', 'ingest'], ['shop.*']), ['allTypes']);
  assert.deepEqual(lacks(['metrics']), ['events', 'push', 'allTypes']);
  assert.deepEqual(lacks(['ingest']), ['events', 'metrics', 'allTypes']);
  assert.deepEqual(lacks(['admin'], ['shop.*']), []);
});

test('without a key nothing is lacking', () => {
  assert.deepEqual(accessOf(null), { events: null, metrics: null, push: null, allTypes: null });
});

test('a key is told in words', () => {
  assert.equal(accessOf({ name: 'ada', scopes: ['ingest'], types: [] }).events, 'The key ada lacks the scope query');
  assert.equal(scopesText({ scopes: ['query', 'metrics'] }), 'query, metrics');
  assert.equal(typesText({ types: ['checkout', 'shop.*'] }), 'checkout, shop.*');
  assert.equal(typesText({ types: ['*'] }), 'all');
});
