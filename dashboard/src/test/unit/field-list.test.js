import assert from 'node:assert/strict';
import { test } from 'node:test';

import { kindOfField, kindsText, letterOf, listedFields } from '../../main/web/model/field-list.js';

const field = (name, events, kinds) => ({ field: name, events, kinds: { number: 0, string: 0, boolean: 0, null: 0, object: 0, list: 0, ...kinds } });
const ANSWER = { events: 10, fields: [field('data.status', 10, { number: 9, null: 1 }), field('data.user', 8, { object: 8 }), field('data.user.plan', 4, { string: 4 }), field('data.empty', 2, { object: 2 }), field('data.none', 1, { null: 1 })] };

test('fields are listed with their kind and share, objects by their members', () => {
  const listed = listedFields(ANSWER, '').map(({ short, kind, share }) => [short, kind, share]);
  assert.deepEqual(listed, [['status', 'number', 1], ['user.plan', 'string', 0.4], ['empty', 'object', 0.2], ['none', 'null', 0.1]]);
  assert.deepEqual(listedFields(ANSWER, ' PLAN').map(({ name }) => name), ['data.user.plan']);
  assert.equal(kindOfField(field('data.x', 3, { string: 1, null: 2 })), 'string');
  assert.equal(letterOf('number'), '#');
});

test('all kinds of a field are told, with the shares of those beside the first', () => {
  const [status, , plan] = ANSWER.fields;
  assert.equal(kindsText(status), 'number, null 10%');
  assert.equal(kindsText(plan), 'string');
  assert.equal(kindsText(field('data.mixed', 1000, { string: 995, number: 5 })), 'string, number <1%');
});
