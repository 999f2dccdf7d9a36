import assert from 'node:assert/strict';
import { test } from 'node:test';

import { didYouMean, fieldMeant, plainReason } from '../../main/web/model/filter/did-you-mean.js';

const KNOWN = ['data.status', 'data.version', 'data.path', 'data.level'];

test('a word that every object of JavaScript has is no word of another language', () => {
  assert.doesNotMatch(didYouMean('data.a constructor 1', KNOWN)?.says ?? '', /Write/);
});

test('an expression that cannot be read comes with what to write', () => {
  const advised = [
    ['data.a = 1', 'Use == to compare', 'data.a == 1'],
    ['data.a === 1', 'Use == to compare', 'data.a == 1'],
    ['data.a =< 1', 'Write <= for =<', 'data.a <= 1'],
    ['data.a <> 1', 'Write != for <>', 'data.a != 1'],
    ['data.a == 1 and data.b == 2', 'Write && for and', 'data.a == 1 && data.b == 2'],
    ['data.a == 1 OR data.b == 2', 'Write || for OR', 'data.a == 1 || data.b == 2'],
    ['data.a == 1 & data.b == 2', 'Write && for &', 'data.a == 1 && data.b == 2'],
    ['not data.a == 1', 'Write ! for not', '!(data.a == 1)'],
    ['data.a == "x', 'This quote is not closed', 'data.a == "x"'],
    ['data.a == 1 && (data.b == 2', '( is not closed', 'data.a == 1 && (data.b == 2)'],
    ['data.a in [1, 2', '[ is not closed', 'data.a in [1, 2]'],
    ['data.a == 1)', ') closes nothing', null],
    ['data.a == 1 &&', 'Something is missing at the end', null],
    ['data.a == && data.b', 'Something is missing before &&', null],
    ['data.a == disk full && data.b == 1', 'A text stands in quotes: "disk full"', 'data.a == "disk full" && data.b == 1'],
    ['data.a == 1;', 'Leave ; out', 'data.a == 1'],
    ['data.path like "x"', 'Write .contains("…") behind the field', null],
    ['data.a == 1 && level:error', 'Simple words and expressions do not mix; write data.field == "value"', null],
    ['status:500', 'As an expression, write data.status in [500, "500"]', 'data.status in [500, "500"]'],
    ['data.a == error', 'A text stands in quotes: "error"', 'data.a == "error"'],
    ['datta.a == 1', 'There is no datta. Did you mean data?', 'data.a == 1'],
    ['verson == 1', 'There is no verson. Did you mean data.version?', 'data.version == 1'],
    ['cheese == 1', 'There is no cheese; a field of the payload is data.cheese', 'data.cheese == 1'],
    ['data.a.startswith("x")', 'There is no startswith. Did you mean startsWith?', 'data.a.startsWith("x")'],
    ['hass(data.a)', 'There is no hass. Did you mean has?', 'has(data.a)'],
    ['data.a.cheese()', 'There is no function cheese', null],
  ];
  for (const [where, says, fix] of advised) {
    const advice = didYouMean(where, KNOWN);
    assert.deepEqual([advice?.says, advice?.fix], [says, fix], where);
    assert.ok(advice.from < advice.to && advice.to <= where.length, where);
  }
});

test('what can be read needs no advice', () => {
  for (const where of ['data.a == 1', 'data.x.exists(i, i > 1)', 'type(data.a) == int', 'size(data.a) > 1 ? true : has(data.b)']) {
    assert.equal(didYouMean(where, KNOWN), null, where);
  }
});

test('a field that no event has comes with the nearest', () => {
  const advice = fieldMeant('data.status > 1 && data.verson == "x"', KNOWN);
  assert.deepEqual(advice, { says: 'No event here has data.verson. Did you mean data.version?', name: 'data.verson', nearest: 'data.version', fix: 'data.status > 1 && data.version == "x"' });
  assert.equal(fieldMeant('data.status > 1', KNOWN), null);
  assert.equal(fieldMeant('data.zzzzzzzz > 1', KNOWN), null);
  assert.equal(fieldMeant('data.verson > 1', []), null);
});

test('reasons in the words of a parser are said plainly', () => {
  const reasons = [
    ["found no matching overload for '_&&_' applied to '(string, bool)' (candidates: (bool, bool))", '&& does not go with a text and true or false'],
    ["mismatched input 'x' expecting {<EOF>, '=='}", "did not expect 'x'"],
    ["token recognition error at: '&'", "cannot read '&'"],
    ['there is no foo', 'there is no foo'],
  ];
  for (const [reason, plain] of reasons) assert.equal(plainReason(reason), plain);
});
