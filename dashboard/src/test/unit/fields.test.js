import assert from 'node:assert/strict';
import { test } from 'node:test';

import { downloadsOf } from '../../main/web/model/downloads.js';
import { fieldName, fieldOf, fieldsOf, hasNumbers, topNotes } from '../../main/web/model/fields.js';
import { readView } from '../../main/web/state/address.js';

test('fields have the names that the API has for them', () => {
  assert.equal(fieldName(['user', 'id']), 'data.user.id');
  assert.equal(fieldName(['user-agent']), 'data.user-agent');
  for (const path of [[], ['tags', 0], ['a,b'], [''], ['\ud800']]) assert.equal(fieldName(path), null, JSON.stringify(path));
});

test('a field is found by its name, the longest key first', () => {
  const data = { path: '/a', user: { id: 7, none: null }, 'user.id': 8, a: { b: 1 }, 'a.b': { c: 2 } };
  assert.equal(fieldOf(data, 'data.path'), '/a');
  assert.equal(fieldOf(data, 'data.user.id'), 8);
  assert.equal(fieldOf(data, 'data.user.none'), null);
  assert.equal(fieldOf(data, 'data.a.b.c'), 2);
  for (const name of ['data.absent', 'data.path.more', 'data.user.id.more', 'data.toString', 'path']) assert.equal(fieldOf(data, name), undefined, name);
  assert.equal(fieldOf('text', 'data.length'), undefined);
});

test('downloads ask for all of the view, a table for its columns', () => {
  const view = readView('?hour=2026-11-20T08&type=a&type=b&q=x+a:=1&order=desc');
  const [ndjson, csv] = downloadsOf(view, ['data.path', 'data.user.id']);
  const asked = new URL(ndjson.href, 'http://localhost/');
  assert.equal(asked.pathname, '/api/v1/events');
  assert.deepEqual(Object.fromEntries(asked.searchParams), { hour: '2026-11-20T08', type: 'b', q: 'x a:=1', order: 'desc', limit: 'all', format: 'ndjson' });
  assert.deepEqual(asked.searchParams.getAll('type'), ['a', 'b']);
  assert.equal(new URL(csv.href, 'http://localhost/').searchParams.get('fields'), 'id,time,type,data.path,data.user.id');
  assert.equal(new URL(csv.href, 'http://localhost/').searchParams.get('csv_safe'), 'true');
  assert.ok(!ndjson.href.includes('csv_safe'));
  assert.equal(ndjson.file, 'hourglass-2026-11-20T08.ndjson');
  const range = downloadsOf(readView('?from=2026-11-20T08:05:00Z&to=2026-11-20T08:07:30Z'), []);
  assert.equal(range[1].file, 'hourglass-2026-11-20T080500Z-2026-11-20T080730Z.csv');
  assert.ok(!range[1].href.includes('fields'));
});

test('the fields of some events are known with their paths', () => {
  const known = fieldsOf([{ data: { path: '/a', user: { id: 7 }, tags: [1], empty: {} } }, { data: { 'user.id': 8, ms: 1, path: null } }, { data: 'text' }]);
  assert.deepEqual([...known.keys()], ['data.path', 'data.user.id', 'data.ms']);
});

test('what a list of values leaves out is told', () => {
  const values = [{ value: 'a', count: 3, error_max: 0 }, { value: 1, count: 1, error_max: 0 }];
  assert.deepEqual(topNotes({ values, events: 10, absent: 1, nested: 0, too_long: 2, exact: true, distinct: 3 }), ['Of 10 events', '1 other value not listed', '1 event without the field', '2 events with a value too long to count']);
  assert.match(topNotes({ values, events: 10, exact: false, distinct: null }).join(), /least/);
  assert.ok(hasNumbers({ values }) && !hasNumbers({ values: values.slice(0, 1) }));
});
