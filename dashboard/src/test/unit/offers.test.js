import assert from 'node:assert/strict';
import { test } from 'node:test';

import { findOffers } from '../../main/web/api/offers.js';
import { nearestFieldOffers, nearestValueOffers, offersOf, testsOf } from '../../main/web/model/filter/offers.js';
import { Hour } from '../../main/web/model/time/hour.js';

/** A meaning of which each part is a test `name:value`, or words. */
function meaningOf(q, { language = 'words', where = '', id = null } = {}) {
  let at = 0;
  const parts = language === 'cel' ? [{ from: 0, to: q.length }] : q.split(' ').map((part) => ({ from: at, to: (at += part.length + 1) - 1 }));
  const named = [...q.matchAll(/(?:data\.)?([a-z]+)(?:(:=?| == )([^\s>]+)|>)/g)];
  const fields = named.map(({ index, 0: whole, 1: name }) => ({ field: `data.${name}`, from: index, to: index + whole.indexOf(name) + name.length }));
  const marks = named.filter(({ 3: value }) => value).map(({ 1: name, 3: value }) => ({ field: `data.${name}`, text: value.replaceAll('"', ''), whole: true }));
  return { q, language, where, id, word: [], type: [], parts, fields, marks, refusal: null };
}

const filters = (offers) => offers.map(({ q }) => q);

test('a test is offered in any case, as a text, and without each of the parts', () => {
  assert.deepEqual(filters(offersOf(meaningOf('level:=Error host:web'))), [
    'level:~"(?i)^Error$" host:web', '"Error" host:web', '"level:=Error" host:web', 'level:=Error host:~"(?i)^web$"', 'level:=Error "web"', 'level:=Error "host:web"', 'host:web', 'level:=Error',
  ]);
});

test('numbers are offered as texts', () => {
  assert.deepEqual(filters(offersOf(meaningOf('status:="500"'))), ['status:500', '"500"']);
  assert.deepEqual(filters(offersOf(meaningOf('status>500'))), ['status>"500"']);
});

test('signs of a value have no meaning in an offer', () => {
  assert.equal(filters(offersOf(meaningOf('path:=/a.b*')))[0], 'path:~"(?i)^/a\\\\.b\\\\*$"');
});

test('an expression is changed where it is one comparison alone', () => {
  assert.deepEqual(filters(offersOf(meaningOf('data.level == "Error"', { language: 'cel', where: 'data.level == "Error"' }))), ['level:~"(?i)^Error$"', '"Error"']);
  assert.deepEqual(offersOf(meaningOf('data.level == "Error"', { language: 'cel', where: 'data.level == "Error" || data.x' })), []);
});

test('a word is offered as the beginning of one', () => {
  assert.deepEqual(filters(offersOf(meaningOf('refus'))), ['refus*']);
  assert.deepEqual(filters(offersOf(meaningOf('refus*'))), []);
});

test('an id is offered as a text', () => {
  assert.deepEqual(filters(offersOf({ ...meaningOf('8a2f'), id: '8a2f' })), ['"8a2f"']);
});

test('the nearest field and the nearest value take the place of what nothing has', () => {
  assert.deepEqual(filters(nearestFieldOffers(meaningOf('stauts:500 a'), ['data.status', 'data.path'])), ['status:500 a']);
  assert.deepEqual(nearestFieldOffers(meaningOf('status:500'), ['data.status']), []);
  const meaning = meaningOf('level:eror a');
  assert.deepEqual(filters(nearestValueOffers(meaning, testsOf(meaning)[0], ['warn', 'error', 7])), ['level:=error a']);
});

const HOUR = Hour.parse('2026-11-20T08');
const VIEW = { span: HOUR, types: ['a'], q: 'level:eror' };

function clientOf(counts, { newest = null, bytes = 1, fields = [], values = [] } = {}) {
  const asked = [];
  const say = (name, answer) => async (query) => (asked.push([name, query]), answer(query));
  return {
    asked,
    hits: say('hits', (query) => ({ total: counts[query.q] ?? 0 })),
    types: say('types', () => ({ types: [{ type: 'a', count: 0 }, { type: 'b', count: 3 }, { type: 'c', count: 2 }] })),
    plan: say('plan', () => ({ bytes })),
    events: say('events', () => ({ events: newest ? [{ time: newest }] : [] })),
    fields: say('fields', () => ({ fields: fields.map((field) => ({ field })), more: false })),
    top: say('top', () => ({ values: values.map((value) => ({ value })) })),
  };
}

async function found(client, view = VIEW, signal = new AbortController().signal) {
  const offers = [];
  const outcome = await findOffers(client, view, meaningOf(view.q), (offer) => offers.push(offer), signal, Date.parse('2026-11-21T00:00:00Z'));
  return { offers, outcome };
}

test('offers that find something are told, with the change of the view that they are', async () => {
  const client = clientOf({ 'level:=error': 12, '"eror"': 0, 'level:eror': 4 }, { newest: '2026-11-20T21:10:00Z', fields: ['data.level'], values: ['error'] });
  const { offers, outcome } = await found(client);
  const told = offers.map(({ says, events, change: { span, ...change } }) => [says, events, span?.text ?? null, change]);
  assert.deepEqual(told.filter(([says]) => says === 'with'), [['with', 12, null, { q: 'level:=error' }]]);
  assert.deepEqual(told.filter(([says]) => says.startsWith('in ')).map(([says, events]) => [says, events]).sort(), [['in all types', 5], ['in the hour of the newest one', 4], ['in the last 24 hours', 4], ['in the last 7 days', 4], ['in type', 2], ['in type', 3]]);
  assert.ok(told.every(([, events]) => events > 0));
  assert.deepEqual(outcome, { missing: [], sampled: false });
});

test('a field that no event has is named', async () => {
  assert.deepEqual((await found(clientOf({}, { fields: ['data.path'] }))).outcome.missing, ['data.level']);
  assert.deepEqual((await found(clientOf({}))).outcome.missing, []);
});

test('other times are left out where there is too much to read, and what fails ends nothing else', async () => {
  const client = clientOf({ 'level:=error': 1 }, { newest: '2026-11-20T21:10:00Z', bytes: 2 ** 40, fields: ['data.level'], values: ['error'] });
  client.types = async () => { throw new Error('too many types'); };
  const { offers } = await found(client);
  assert.deepEqual(offers.map(({ says }) => says), ['with']);
  assert.ok(client.asked.every(([name]) => name !== 'events'));
});

test('nothing more is asked once the view is another', async () => {
  const ending = new AbortController();
  const client = clientOf({});
  client.hits = async () => ending.abort();
  await found(client, VIEW, ending.signal);
  assert.ok(client.asked.length < 6, JSON.stringify(client.asked));
});

test('within an expression a field has the name that expressions know', () => {
  const meaning = meaningOf('data.agent == 1', { language: 'cel' });
  assert.deepEqual(filters(nearestFieldOffers(meaning, ['data.user-agent', 'data.agents'])), ['data.agents == 1']);
  assert.deepEqual(filters(nearestFieldOffers(meaning, ['data.a-gent'])), ['data.`a-gent` == 1']);
});
