import assert from 'node:assert/strict';
import { test } from 'node:test';

import { showZone } from '../../main/web/model/time/zone.js';
import { meaningOf, textOf } from '../../main/web/model/filter/filter-language.js';

const field = (kinds) => ({ kinds: { number: 0, string: 0, boolean: 0, null: 0, object: 0, list: 0, ...kinds } });
const KNOWN = new Map([
  ['data.status', field({ number: 9 })],
  ['data.code', field({ string: 9 })],
  ['data.mixed', field({ number: 4, string: 5 })],
  ['data.tags', field({ list: 9 })],
  ['data.path', field({ string: 9 })],
  ['data.user.plan', field({ string: 9 })],
  ['data.of', field({ object: 5, string: 4, null: 1 })],
  ['data.of.one', field({ number: 5 })],
  ['data.type', field({ string: 9 })],
]);

const read = (text) => meaningOf(text, KNOWN);

test('simple words mean a text and an expression', () => {
  const meanings = [
    ['timeout', 'timeout', ''],
    ['time out at  noon', 'time out at  noon', ''],
    ['"time \\"out\\""', 'time "out"', ''],
    ['data', 'data', ''],
    ['web-01.eu.local', 'web-01.eu.local', ''],
    ['https://example.org/a?b', 'https://example.org/a?b', ''],
    ['read and write', 'read and write', ''],
    ['connect(2) failed', 'connect(2) failed', ''],
    ['status:500', '', 'data.status == 500'],
    ['data.status:500', '', 'data.status == 500'],
    ['code:500', '', 'data.code == "500"'],
    ['other:500', '', 'data.other in [500, "500"]'],
    ['mixed:500', '', 'data.mixed in [500, "500"]'],
    ['other:"500"', '', 'data.other == "500"'],
    ['x:toString', '', 'data.x == "toString"'],
    ['ok:true', '', 'data.ok in [true, "true"]'],
    ['path:/health', '', 'data.path == "/health"'],
    ['path:"a b"', '', 'data.path == "a b"'],
    ['"a b":1', '', 'data.`a b` in [1, "1"]'],
    ['user.plan:free', '', 'data.user.plan == "free"'],
    ['user-agent:curl', '', 'data.`user-agent` == "curl"'],
    ['status:>500', '', 'data.status > 500'],
    ['status:<=2.50', '', 'data.status <= 2.50'],
    ['code:>500', '', 'data.code > "500"'],
    ['status:(500 OR 503)', '', 'data.status in [500, 503]'],
    ['tags:eu', '', '"eu" in data.tags'],
    ['path:/api/*', '', 'data.path.startsWith("/api/")'],
    ['path:*.png', '', 'data.path.endsWith(".png")'],
    ['path:*cart*', '', 'data.path.contains("cart")'],
    ['path:/a*.png', '', 'data.path.matches("(?s)^/a.*\\\\.png$")'],
    ['user.plan:*', '', 'has(data.user.plan)'],
    ['type:checkout', '', 'type == "checkout"'],
    ['-type:checkout', '', 'type != "checkout"'],
    ['detected_level:error', '', 'detected_level == "error"'],
    ['-detected_level:(info OR debug)', '', '!(detected_level in ["info", "debug"])'],
    ['data.detected_level:x', '', 'data.detected_level == "x"'],
    ['data.type:x', '', 'data.type == "x"'],
    ['time:>=2026-11-20T08:30', '', 'time >= timestamp("2026-11-20T08:30:00Z")'],
    ['time:2026-11-20', '', 'time >= timestamp("2026-11-20T00:00:00Z") && time < timestamp("2026-11-21T00:00:00Z")'],
    ['-time:2026-11-20', '', '!(time >= timestamp("2026-11-20T00:00:00Z") && time < timestamp("2026-11-21T00:00:00Z"))'],
    ['time:>2026-12-31', '', 'time >= timestamp("2027-01-01T00:00:00Z")'],
    ['time:<=2026-11-20T08:30:00.25+01:00', '', 'time <= timestamp("2026-11-20T08:30:00.25+01:00")'],
    ['-status:500', '', '(!has(data.status) || data.status != 500)'],
    ['NOT status:500', '', '(!has(data.status) || data.status != 500)'],
    ['-status:>500', '', '(!has(data.status) || !(data.status > 500))'],
    ['-status:(500 503)', '', '(!has(data.status) || !(data.status in [500, 503]))'],
    ['-path:*', '', '!has(data.path)'],
    ['-path:"a == b"', '', '(!has(data.path) || data.path != "a == b")'],
    ['-"a == b":x', '', '(!has(data.`a == b`) || data.`a == b` != "x")'],
    ['-path:/a*', '', '(!has(data.path) || !(data.path.startsWith("/a")))'],
    ['-mixed:5*', '', '(!has(data.mixed) || !(type(data.mixed) == string && data.mixed.startsWith("5")))'],
    ['-other:(5 n*)', '', '(!has(data.other) || !(data.other in [5, "5"] || type(data.other) == string && data.other.startsWith("n")))'],
    ['-mixed:>500', '', '(!has(data.mixed) || !((type(data.mixed) == int || type(data.mixed) == double) && data.mixed > 500))'],
    ['-tags:eu', '', '(!has(data.tags) || !("eu" in data.tags))'],
    ['-user.plan:free', '', '((!has(data.user) && !("user.plan" in data)) || !has(data.user.plan) || data.user.plan != "free")'],
    ['-of.one:1', '', '((!has(data.of) && !("of.one" in data)) || !has(data.of.one) || type(data.of) == string || type(data.of) == null_type || data.of.one != 1)'],
    ['status:500 "time out" -path:/health', 'time out', 'data.status == 500 && (!has(data.path) || data.path != "/health")'],
    ['status:500 or status:503', '', 'data.status == 500 || data.status == 503'],
    ['timeout and status:500', 'timeout', 'data.status == 500'],
    ['status:500 (path:/a OR path:/b)', '', 'data.status == 500 && (data.path == "/a" || data.path == "/b")'],
    ['-(status:500 OR path:/b)', '', '(!has(data.status) || data.status != 500) && (!has(data.path) || data.path != "/b")'],
  ];
  for (const [text, contains, where] of meanings) {
    const { mode, filter, problem } = read(text);
    assert.deepEqual([mode, filter, problem?.message], ['words', { contains, where }, undefined], text);
  }
});

test('a time without a zone is one of the clocks that the page shows', () => {
  const { TZ = 'UTC' } = process.env;
  process.env.TZ = 'America/New_York';
  showZone('local');
  try {
    assert.equal(read('time:>=2026-11-20T08:30').filter.where, 'time >= timestamp("2026-11-20T13:30:00Z")');
    assert.equal(read('time:>=2026-11-20T08:30Z').filter.where, 'time >= timestamp("2026-11-20T08:30:00Z")');
    assert.equal(read('time:2026-11-01').filter.where, 'time >= timestamp("2026-11-01T04:00:00Z") && time < timestamp("2026-11-02T05:00:00Z")');
  } finally {
    showZone('utc');
    process.env.TZ = TZ;
  }
});

test('CEL stays as it is, with data. before the fields that events have', () => {
  const meanings = [
    ['data.status >= 500', '', 'data.status >= 500'],
    ['data.status >= 400 && datta.x == 1', '', 'data.status >= 400 && datta.x == 1'],
    ['status >= 500 && path.startsWith("/a")', '', 'data.status >= 500 && data.path.startsWith("/a")'],
    ['has(user.plan) || size(tags) > 1', '', 'has(data.user.plan) || size(data.tags) > 1'],
    ['data.items.exists(status, status.x == 1)', '', 'data.items.exists(status, status.x == 1)'],
    ['true', '', 'true'],
    ['type(data.a) == string', '', 'type(data.a) == string'],
    ['"cart" && data.status == 500', 'cart', 'data.status == 500'],
    ['"cart" && (data.a || data.b)', 'cart', '(data.a || data.b)'],
    ['(data.a && data.b) && "x\\\\y"', 'x\\y', '(data.a && data.b)'],
    ['data.a == "b" ? true : data.c', '', 'data.a == "b" ? true : data.c'],
    ['data.a == 1 and data.b == 2', '', 'data.a == 1 and data.b == 2'],
    ['status = 500', '', 'status = 500'],
  ];
  for (const [text, contains, where] of meanings) {
    const { mode, filter } = read(text);
    assert.deepEqual([mode, filter], ['cel', { contains, where }], text);
  }
});

test('what cannot be asked for is refused where it stands', () => {
  const refused = [
    ['"one" "two"', 6, /one text/],
    ['one status:500 two', 15, /one text/],
    ['-timeout', 1, /left out/],
    ['timeout OR status:500', 0, /choices/],
    ['"open', 0, /not closed/],
    ['(status:500', 0, /not closed/],
    ['status:500)', 10, /closes nothing/],
    ['status:', 0, /missing/],
    ['status:500 AND', 11, /missing/],
    ['status:()', 7, /no value/],
    ['NOT', 2, /missing/],
    ['time:2026-02-30', 0, /no time/],
    ['time:yesterday', 0, /A time reads/],
    ['-status:5*', 1, /^status is a number; write status:>=500$/],
    ['tags:n*', 0, /^tags is a list/],
    ['"a" && "b"', 7, /one text/],
    ['('.repeat(40), 32, /too many/],
  ];
  for (const [text, from, message] of refused) {
    const { filter, problem } = read(text);
    assert.equal(filter, null, text);
    assert.equal(problem?.from, from, text);
    assert.match(problem.message, message, text);
  }
});

test('a filter reads as a text that means it', () => {
  const filters = [
    [{ contains: '', where: '' }, ''],
    [{ contains: 'time out', where: '' }, 'time out'],
    [{ contains: '/api"', where: '' }, '/api"'],
    [{ contains: 'status:500', where: '' }, '"status:500"'],
    [{ contains: ' a ', where: '' }, '" a "'],
    [{ contains: 'a == b', where: '' }, '"a == b"'],
    [{ contains: 'a\\"b', where: 'data.a == 1' }, '"a\\\\\\"b" && data.a == 1'],
    [{ contains: 'x', where: 'data.a || data.b' }, '"x" && (data.a || data.b)'],
    [{ contains: '', where: 'data.a > 1 || type == "x"' }, 'data.a > 1 || type == "x"'],
  ];
  for (const [filter, text] of filters) {
    assert.equal(textOf(filter), text);
    const where = filter.contains && filter.where.includes('||') ? `(${filter.where})` : filter.where;
    assert.deepEqual(meaningOf(text).filter, { ...filter, where }, text);
  }
});
