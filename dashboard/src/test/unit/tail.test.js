import assert from 'node:assert/strict';
import { test } from 'node:test';

import { SseParser } from '../../main/web/api/sse.js';
import { Tail } from '../../main/web/api/tail.js';

test('messages come whole, however the text is cut', () => {
  const text = 'retry: 1000\n\nid: p1\ndata: {"a":1}\n\n: nothing new\nid: p2\n\nid: p3\r\nevent: late\r\ndata: x\r\ndata:y\r\n\r\n';
  const expected = [{ event: 'message', data: '{"a":1}', id: 'p1' }, { event: 'late', data: 'x\ny', id: 'p3' }];
  for (let size = 1; size <= text.length; size++) {
    const parser = new SseParser();
    const messages = [];
    for (let at = 0; at < text.length; at += size) messages.push(...parser.push(text.slice(at, at + size)));
    assert.deepEqual(messages, expected, `pieces of ${size}`);
    assert.equal(parser.lastId, 'p3');
  }
});

test('a position counts once its message is whole, and that of a comment counts too', () => {
  const parser = new SseParser();
  parser.push('id: p1\ndata: a\n\nid: p2\nda');
  assert.equal(parser.lastId, 'p1');
  parser.reset();
  assert.deepEqual(parser.push('data: b\n\n'), [{ event: 'message', data: 'b', id: 'p1' }]);
  parser.push(': nothing new\nid: p3\n\n');
  assert.equal(parser.lastId, 'p3');
});

/** Each connection is a list of pieces, or an error; after the last one the tail is stopped. */
async function follow(connections, begin = async () => 'then') {
  const asked = [];
  const seen = [];
  const got = [];
  const client = {
    tail: async (query, lastId) => {
      asked.push([query.since, lastId]);
      const pieces = connections.shift();
      if (pieces instanceof Error) throw pieces;
      return (async function* () {
        for (const piece of pieces) {
          if (piece instanceof Error) throw piece;
          yield piece;
        }
        if (connections.length === 0) tail.stop();
      })();
    },
  };
  const tail = new Tail(client, { type: [] }, begin, {
    onMessages: (messages) => got.push(...messages.map(({ data }) => data)),
    onChange: () => seen.push(tail.status),
  });
  await tail.run();
  return { asked, seen, got, tail };
}

test('each connection goes on where the one before it ended', async () => {
  const { asked, seen, got } = await follow([['id: p1\ndata: a\n\nid: p2\ndata: half'], new Error('no connection'), ['id: p2\ndata: half b\n\n']]);
  assert.deepEqual(got, ['a', 'half b']);
  assert.deepEqual(asked, [['then', null], ['then', 'p1'], ['then', 'p1']]);
  assert.deepEqual(seen, ['live', 'away', 'away', 'live']);
});

test('a connection that is cut is one that ended', async () => {
  const { asked, got } = await follow([['id: p1\ndata: a\n\n', new Error('cut')], ['id: p2\ndata: b\n\n']]);
  assert.deepEqual(got, ['a', 'b']);
  assert.deepEqual(asked[1], ['then', 'p1']);
});

test('the time to begin at is asked for until it is told', async () => {
  let times = 0;
  const begin = async () => {
    if (times++ === 0) throw new Error('away');
    return `at ${times}`;
  };
  const { asked, seen } = await follow([['id: p1\ndata: a\n\n']], begin);
  assert.deepEqual(asked, [['at 2', null]]);
  assert.deepEqual(seen, ['away', 'live']);
});

test('while no position has come each connection begins at the same time', async () => {
  let times = 0;
  const { asked } = await follow([[], new Error('no connection'), ['id: p1\ndata: a\n\n']], async () => `at ${++times}`);
  assert.deepEqual(asked, [['at 1', null], ['at 1', null], ['at 1', null]]);
});

test('what is refused is not tried again', async () => {
  const { asked, seen, tail } = await follow([Object.assign(new Error('where: no'), { status: 400 })]);
  assert.equal(asked.length, 1);
  assert.deepEqual(seen, ['refused']);
  assert.equal(tail.error.message, 'where: no');
});
