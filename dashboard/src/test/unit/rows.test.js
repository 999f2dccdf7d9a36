import assert from 'node:assert/strict';
import { test } from 'node:test';

import { describeRow, describeTypes, hourOf, partsOf, proposalsOf, sortRows, verdictOf, writersMissing, writersText } from '../../main/web/model/system/rows.js';

test('a row key gives type and shard', () => {
  assert.deepEqual(partsOf('20112608|checkout|3'), { type: 'checkout', shard: 3 });
  assert.deepEqual(partsOf('20112608|email%7Csent%25|0'), { type: 'email|sent%', shard: 0 });
  assert.deepEqual(partsOf('20112608|bad%zz|0'), { type: 'bad%zz', shard: 0 });
});

test('a row key gives the hour', () => {
  assert.equal(hourOf('05020107|a|0').text, '2001-02-05T07');
  assert.equal(hourOf('20112608|a|0').text, '2026-11-20T08');
  assert.equal(hourOf('31022608|a|0'), null);
  assert.equal(hourOf('a|0'), null);
});

test('what the answer leaves out is filled in', () => {
  const row = describeRow({ row: '20112608|a|1', columns: 50, bytes: 90, target: { columns: 100, bytes: 100 } });
  assert.deepEqual([row.type, row.shard, row.fill], ['a', 1, 0.9]);
  assert.equal(describeRow({ row: '20112608|a|1', columns: 50, bytes: 90 }).fill, null);
  assert.equal(describeRow({ row: '20112608|a|1', columns: 50, fill: 0.25 }).fill, 0.25);
});

test('an answer without states, growth and writers is shown all the same', () => {
  const sealed = describeRow({ row: '20112608|a|1', columns: 50, sealed: true });
  assert.deepEqual([sealed.state, sealed.rate, sealed.writers], ['sealed', null, null]);
  assert.equal(describeRow({ row: '20112608|a|1', columns: 50, sealed: false }).state, 'open');
  assert.equal(describeRow({ row: '20112608|a|1', growth: { columns_per_s: 2.5, over_s: 10 } }).rate, 2.5);
  assert.deepEqual(describeTypes({ rows: [] }), []);
  assert.equal(writersMissing({ rows: [] }), null);
});

test('a fill is judged, and what is planned is no fault', () => {
  const verdicts = (state) => [0, 0.8, 0.81, 0.99, 1.1, 1.11, 1.5, 1.51].map((fill) => verdictOf({ fill, state, columns: 9 }));
  assert.deepEqual(verdicts('filling'), ['ok', 'ok', 'nearly full', 'full', 'full', 'full', 'full', 'full']);
  assert.deepEqual(verdicts('closed'), ['ok', 'ok', 'ok', 'full', 'full', 'full', 'full', 'full']);
  assert.deepEqual(verdicts('sealed'), ['ok', 'ok', 'ok', 'full', 'full', 'too wide', 'too wide', 'too wide']);
  assert.equal(verdictOf({ fill: 3, state: 'sealed', columns: 1 }), 'full');
  assert.equal(verdictOf({ fill: null, state: 'open' }), 'ok');
});

test('writers are told short and at length', () => {
  const claim = (writer, sole) => ({ writer, sole, columns: 1000, bytes: 1 });
  assert.deepEqual(writersText(null), { short: '–', long: 'not known, or sealed' });
  assert.equal(writersText([]).short, 'none');
  assert.deepEqual(writersText([claim('3k5x9zq0a1', true)]), { short: '3k5x9z', long: '3k5x9zq0a1 alone, up to 1,000 columns' });
  assert.deepEqual(writersText([claim('a', false), claim('b', false)]), { short: '2 writers', long: 'a, up to 1,000 columns; b, up to 1,000 columns' });
});

test('types come with what they grow by, those with a proposal first', () => {
  const proposal = { setting: 's', value: '1', reason: 'r' };
  const hour = '2026-11-20T08';
  const types = [['a', 5, null], ['b', 9, null], ['c', 1, proposal], ['d', 9, null]].map(([type, columns, p]) => ({ hour, type, columns, proposal: p }));
  const rows = [['a', 1.5], ['a', 2], ['b', 0], ['d', null]].map(([type, rate]) => ({ row: `20112608|${type}|0`, growth: rate === null ? null : { columns_per_s: rate } }));
  const described = describeTypes({ rows, types });
  assert.deepEqual(described.map((t) => [t.type, t.growth]), [['c', null], ['b', 0], ['d', null], ['a', 3.5]]);
});

test('hours of a type are told apart, each with its own rows', () => {
  const types = ['2026-11-20T08', '2026-11-20T09'].map((hour) => ({ hour, type: 'a', columns: 5, proposal: null }));
  const row = (key, rate) => ({ row: key, columns: 5, bytes: 9, target: { columns: 10, bytes: 10 }, growth: { columns_per_s: rate } });
  const described = describeTypes({ rows: [row('20112608|a|0', 1), row('20112609|a|0', 2)], types });
  assert.deepEqual(described.map((t) => [t.hour, t.growth, t.plan.did]), [['2026-11-20T08', 1, 'one row'], ['2026-11-20T09', 2, 'one row']]);
});

test('equal proposals are told once', () => {
  const of = (type, value) => ({ type, proposal: value && { setting: 's', value, reason: `of ${type}` } });
  const found = proposalsOf([of('a', '1'), of('b', null), of('c', '2'), of('d', '2')]);
  assert.deepEqual(found, [
    { setting: 's', value: '2', reason: 'of c', types: ['c', 'd'] },
    { setting: 's', value: '1', reason: 'of a', types: ['a'] },
  ]);
});

test('missing writers are told with the reason', () => {
  const types = [{ writers_unknown: 'all rows are sealed' }, { writers_unknown: 'claims could not be read: away' }];
  assert.equal(writersMissing({ claims: { asked: 3, answered: 3 }, types }), null);
  assert.equal(
    writersMissing({ claims: { asked: 3, answered: 1 }, types }),
    'The writers of 2 of 3 types are not known: claims could not be read: away',
  );
});

test('sorts by any property, equal ones by type and shard, unknown ones apart', () => {
  const rows = [['b', 0, 5], ['a', 1, 5], ['a', 0, 5], ['c', 0, 9], ['d', 0, null]].map(([type, shard, columns]) => ({ type, shard, columns }));
  const names = (sorted) => sorted.map((r) => r.type + r.shard).join(' ');
  assert.equal(names(sortRows(rows, 'columns', true)), 'c0 a0 a1 b0 d0');
  assert.equal(names(sortRows(rows, 'columns', false)), 'd0 a0 a1 b0 c0');
  assert.equal(names(sortRows(rows, 'type', false)), 'a0 a1 b0 c0 d0');
});
