import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Hour } from '../../main/web/model/time/hour.js';
import { downloadsOf, tableColumns } from '../../main/web/model/downloads.js';

const field = (name, kinds = { string: 1, object: 0 }) => ({ field: `data.${name}`, kinds });
const numbered = (n, name = (i) => `f${100 + i}`) => Array.from({ length: n }, (_, i) => field(name(i)));

test('a table has a column for each value, none for what only holds others', () => {
  const fields = [field('status', { number: 3 }), field('user', { object: 3, string: 0 }), field('user.id'), field('tags', { list: 1 }), field('mixed', { object: 1, number: 1 })];
  assert.deepEqual(tableColumns({ fields, more: false }), ['data.mixed', 'data.status', 'data.tags', 'data.user.id']);
  assert.deepEqual(tableColumns({ fields: [], more: false }), []);
});

test('fields that do not fit are in the whole payload, so that none is lost', () => {
  assert.equal(tableColumns({ fields: numbered(60), more: false }).length, 60);
  const many = tableColumns({ fields: numbered(64), more: true });
  assert.deepEqual([many.length, many.at(-1)], [61, 'data']);
  const long = tableColumns({ fields: numbered(30, (i) => `${'x'.repeat(250)}${i}`), more: false });
  assert.equal(long.at(-1), 'data');
  assert.ok(long.join().length < 4_100);
  assert.deepEqual(tableColumns({ fields: [field('a')], more: false, sampled: 0.1 }), ['data.a', 'data']);
  assert.deepEqual(tableColumns({ fields: [field('a'), field('b,c')], more: false }), ['data.a', 'data']);
});

test('only the CSV has columns', () => {
  const view = { span: Hour.parse('2026-11-20T08'), types: ['a'], q: '', order: 'desc' };
  const [ndjson, csv] = downloadsOf(view, ['data.a']);
  assert.equal(ndjson.href, 'api/v1/events?hour=2026-11-20T08&type=a&order=desc&limit=all&format=ndjson');
  assert.equal(csv.href, 'api/v1/events?hour=2026-11-20T08&type=a&order=desc&limit=all&format=csv&fields=id%2Ctime%2Ctype%2Cdata.a&csv_safe=true');
  assert.equal(csv.file, 'hourglass-2026-11-20T08.csv');
});
