import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ApiError } from '../../main/web/api/client.js';
import { Hour } from '../../main/web/model/time/hour.js';
import { FIRST_VIEW } from '../../main/web/state/address.js';
import { FilterMeanings } from '../../main/web/state/filter-meanings.js';
import { Filtering } from '../../main/web/state/filtering.js';

const ID = '8a2f6c10-c5e5-11f0-9d3a-0242ac120002';
const EVENT = { id: ID, type: 'checkout', time: '2026-11-18T21:40:03Z', data: {} };

function filteringOf(answers, view = {}) {
  const asked = [];
  const client = {
    async filter({ q, and = '' }) {
      asked.push([q, and]);
      const answer = answers[and ? `${q}+${and}` : q];
      if (answer instanceof Error) throw answer;
      return answer;
    },
    async reading(q) {
      const answer = await this.filter({ q }).catch((error) => error);
      return answer instanceof Error ? answer.filter : answer;
    },
    async event({ id }) {
      if (answers[`event ${id}`]) return answers[`event ${id}`];
      throw new ApiError(404, 'Not Found');
    },
  };
  const state = { view: { ...FIRST_VIEW, ...view }, renewed: {}, change: (part) => (state.view = { ...state.view, ...part }) };
  const meanings = new FilterMeanings(client);
  return { asked, state, meanings, filtering: new Filtering({ requestUpdate() {} }, client, state, meanings) };
}

const refused = (reason) => new ApiError(400, 'Bad Request', `q: ${reason}`, { filter: { reason, from: 0, to: 1, fix: null } });

test('a clause is joined by the server, each to those before it', async () => {
  const { filtering, state } = filteringOf({ 'a:1+b:=2': { q: 'a:1 b:=2' }, 'a:1 b:=2+-c:=3': { q: 'a:1 b:=2 -c:=3' } }, { q: 'a:1' });
  filtering.add('b:=2');
  await filtering.add('-c:=3');
  assert.equal(state.view.q, 'a:1 b:=2 -c:=3');
});

test('a clause alone, or beside a filter that cannot be read, is the filter', async () => {
  const first = filteringOf({});
  await first.filtering.add('b:=2');
  assert.deepEqual([first.state.view.q, first.asked], ['b:=2', []]);
  const other = filteringOf({ 'ms>': refused('a value is missing') }, { q: 'ms>' });
  await other.meanings.of('ms>');
  await other.filtering.add('b:=2');
  assert.equal(other.state.view.q, 'b:=2');
});

test('a clause that cannot be joined leaves the filter as it is, and says why', async () => {
  const { filtering, state } = filteringOf({ 'a:1+b:=2': refused('5000 characters') }, { q: 'a:1' });
  await filtering.add('b:=2');
  assert.deepEqual([state.view.q, filtering.failure.filter.reason], ['a:1', '5000 characters']);
});

test('the id of an event leads to the event in its hour, and is a filter where there is none', async () => {
  const { filtering, state, meanings } = filteringOf({ [ID]: { q: ID, id: ID }, [`event ${ID}`]: EVENT }, { q: 'x', types: ['a'] });
  await meanings.of(ID);
  await filtering.search(ID);
  assert.deepEqual([state.view.q, state.view.types, state.view.event], ['', [], { id: ID, type: 'checkout' }]);
  assert.ok(state.view.span.equals(Hour.parse('2026-11-18T21')));
  const other = filteringOf({ [ID]: { q: ID, id: ID } });
  await other.meanings.of(ID);
  await other.filtering.search(ID);
  assert.equal(other.state.view.q, ID);
});

test('a meaning is asked for once, and a refusal is one', async () => {
  const { asked, meanings } = filteringOf({ 'a:1': { q: 'a:1', where: 'w' }, 'ms>': refused('a value is missing') });
  assert.equal(meanings.known('a:1'), null);
  await meanings.of('a:1');
  assert.equal((await meanings.of('a:1')).where, 'w');
  assert.equal((await meanings.of('ms>')).refusal.reason, 'a value is missing');
  assert.deepEqual([meanings.known('').language, asked.length], ['none', 2]);
});
