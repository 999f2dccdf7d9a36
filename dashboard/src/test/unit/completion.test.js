import assert from 'node:assert/strict';
import { test } from 'node:test';

import { completed, completionAt } from '../../main/web/model/filter/completion.js';

const field = (name, kind, values = []) => [name, { field: name, kinds: { [kind]: 9 }, values: values.map((value) => ({ value, count: 1 })) }];
const KNOWN = {
  fields: new Map([
    field('data.status', 'number', [200, 500, 503]),
    field('data.path', 'string', ['/health', '/api cart']),
    field('data.state', 'string', ['new', '7']),
    field('data.lines', 'string', ['a\nb', 'abc']),
    field('data.user-agent', 'string', ['curl']),
    field('data.http.status', 'number', [404]),
    field('data.type', 'string'),
  ]),
  isExpression: false,
  types: [{ type: 'checkout', count: 2 }, { type: 'state.change', count: 1 }],
  values: new Map([['data.state', ['new', 'old', 'news']]]),
};

const textsAt = (text) => {
  const cursor = text.includes('|') ? text.indexOf('|') : text.length;
  return completionAt(text.replace('|', ''), cursor, KNOWN)?.proposals.map((p) => p.text) ?? null;
};

test('fields and types complete a word', () => {
  const proposed = [
    ['sta', ['status:', 'state:', 'http.status:', 'type:state.change']],
    ['STATU', ['status:', 'http.status:']],
    ['level:x -pa', ['path:']],
    ['agent', ['user-agent:']],
    ['typ', ['data.type:', 'type:']],
    ['check', ['type:checkout']],
    ['data.sta', ['data.status', 'data.state', 'data.http.status']],
    ['data.a == 1 && pa', ['data.path ']],
    ['data.user', ['data.`user-agent`']],
    ['nothing like it', null],
  ];
  for (const [text, texts] of proposed) assert.deepEqual(textsAt(text), texts, text);
});

const TESTS = ['*', '(', '=', '~', '>=', '<='];

test('values complete what a field is compared with', () => {
  const proposed = [
    ['status:', ['200', '500', '503', ...TESTS]],
    ['status:50', ['500', '503']],
    ['status:>5', ['500', '503']],
    ['status>=5', ['500', '503']],
    ['level:(x OR y) -state:(new OR o', ['old']],
    ['path:', ['/health', '"/api cart"', ...TESTS]],
    ['path:"/api c', ['"/api cart"']],
    ['state:ne', ['new', 'news']],
    ['type:chec', ['checkout']],
    ['lines:', ['abc', ...TESTS]],
    ['data.lines == "', ['"a\\nb"', '"abc"']],
    ['data.status == ', ['200', '500', '503']],
    ['status == 5', ['500', '503']],
    ['data.state == "ne', ['"new"', '"news"']],
    ['data.state in ["new", "o', ['"old"']],
    ['type == "', ['checkout', 'state.change']],
  ];
  for (const [text, texts] of proposed) assert.deepEqual(textsAt(text), texts, text);
  assert.equal(completionAt('absent:x', 8, KNOWN).valuesOf, 'data.absent');
});

test('methods and operators come behind a field of an expression', () => {
  assert.deepEqual(textsAt('data.path.st'), ['startsWith(']);
  assert.deepEqual(textsAt('data.path !'), ['!= ']);
  assert.deepEqual(textsAt('data.status '), ['== ', '!= ', '>= ', '> ', '<= ', '< ', 'in [']);
  assert.equal(textsAt('status ')[0], 'status:');
  assert.deepEqual(completionAt('status ', 7, { ...KNOWN, isExpression: true })?.proposals.map(({ text }) => text)[0], 'data.status ');
});

test('a proposal takes the place of what was typed', () => {
  const take = (text, n = 0) => {
    const cursor = text.indexOf('|');
    const whole = text.replace('|', '');
    const found = completionAt(whole, cursor, KNOWN);
    const done = completed(whole, found, found.proposals[n]);
    return `${done.text.slice(0, done.cursor)}|${done.text.slice(done.cursor)}`;
  };
  assert.equal(take('sta| path:x'), 'status:| path:x');
  assert.equal(take('sta|tus:500'), 'status:|500');
  assert.equal(take('data.sta|tus == 500'), 'data.status| == 500');
  assert.equal(take('status:5|9 path:x'), 'status:500| path:x');
  assert.equal(take('data.path == "/h|'), 'data.path == "/health"|');
});
