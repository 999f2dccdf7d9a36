import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Hour } from '../../main/web/model/time/hour.js';
import { DAY_MILLIS, FIRST_MILLIS, parseSpan, spanOf } from '../../main/web/model/time/range.js';
import { lastSpan, zoomedOut } from '../../main/web/model/time/relative.js';
import { stepOf } from '../../main/web/model/time/steps.js';

const at = (clock) => Date.parse(`2026-11-20T${clock}Z`);
const span = (from, to) => parseSpan(`2026-11-${from}Z`, `2026-11-${to}Z`);
const onStep = ({ fromMillis, lengthMillis }) => fromMillis % stepOf({ lengthMillis }).millis === 0;

test('a span that ends now has the present second, and all of its length', () => {
  for (const [length, millis] of [['30s', 30_000], ['15m', 900_000], ['6h', 21_600_000], ['7d', 7 * DAY_MILLIS], ['1000s', 1_000_000], ['99m', 5_940_000]]) {
    const shown = lastSpan(length, at('08:20:30.200'));
    assert.equal(shown.toMillis, at('08:20:31'), length);
    assert.ok(shown.lengthMillis >= millis && shown.lengthMillis <= 1.05 * millis, `${length}: ${shown.text}`);
  }
});

test('steps of a span that ends now begin at round times, the same for readers who look one after the other', () => {
  for (const length of ['5m', '15m', '60m', '6h', '24h', '7d', '100s', '1000s', '101m', '90d']) {
    const [one, other] = [at('08:20:30.200'), at('08:20:33.900')].map((now) => lastSpan(length, now));
    assert.ok(onStep(one) && onStep(other), `${length}: ${one.text}`);
    const { millis } = stepOf(one);
    assert.equal(stepOf(other).millis, millis, length);
    assert.equal((other.fromMillis - one.fromMillis) % millis, 0, length);
  }
  assert.equal(lastSpan('15m', at('08:20:30')).from, '2026-11-20T08:05:30Z');
  assert.equal(lastSpan('15m', at('08:20:38')).from, '2026-11-20T08:05:30Z');
});

test('a length that is none has no span, and one of ages begins with the API', () => {
  for (const bad of ['', '0m', '15', '15 m', '-1h', '1y', '100000d', null]) assert.equal(lastSpan(bad, at('08:00:00')), null, `${bad}`);
  assert.equal(lastSpan('99999d', at('08:00:00')).fromMillis, FIRST_MILLIS);
});

test('zooming out doubles a span around its middle', () => {
  const now = at('23:00:00');
  const out = (from, to) => zoomedOut({ span: span(from, to), last: null }, now);
  assert.deepEqual([out('20T08:00:00', '20T09:00:00').span.text, out('20T08:00:00', '20T09:00:00').last], ['2026-11-20T07:30:00Z/2026-11-20T09:30:00Z', null]);
  assert.equal(out('20T08:03:00', '20T08:06:00').span.text, '2026-11-20T08:01:30Z/2026-11-20T08:07:30Z');
  assert.equal(out('20T00:00:00', '20T12:00:00').span.text, '2026-11-19T18:00:00Z/2026-11-20T18:00:00Z');
  assert.equal(out('20T08:00:00', '20T08:00:00.050').span.lengthMillis, 100);
});

test('what is zoomed out begins with a step', () => {
  let view = { span: span('20T08:05:13', '20T08:06:27'), last: null };
  for (let i = 0; i < 12; i++) {
    view = zoomedOut(view, at('23:00:00'));
    assert.ok(onStep(view.span), view.span.text);
  }
});

test('a span that would reach beyond now ends now, twice as long', () => {
  const { span: shown, last } = zoomedOut({ span: span('20T08:00:00', '20T09:00:00'), last: null }, at('09:10:00'));
  assert.deepEqual([shown.text, last], ['2026-11-20T07:10:00Z/2026-11-20T09:10:01Z', null]);
});

test('a span that time is in, or that ends now, goes on to end now', () => {
  const now = at('08:20:00');
  const lengths = (...lasts) => lasts.map((last) => zoomedOut({ span: lastSpan(last, now), last }, now).last);
  assert.deepEqual(lengths('15m', '45m', '60m', '12h', '24h', '7d', '50s', '61s'), ['30m', '90m', '2h', '24h', '2d', '14d', '100s', '122s']);
  const hour = zoomedOut({ span: new Hour(now), last: null }, now);
  assert.deepEqual([hour.last, hour.span.to], ['2h', '2026-11-20T08:20:01Z']);
  const odd = zoomedOut({ span: span('19T03:00:13', '20T09:00:00'), last: null }, now);
  assert.ok(lastSpan(odd.last, now).lengthMillis >= 2 * span('19T03:00:13', '20T09:00:00').lengthMillis, odd.last);
});

test('what is yet to come is zoomed out of as well', () => {
  const out = zoomedOut({ span: span('20T12:00:00', '20T13:00:00'), last: null }, at('08:00:00'));
  assert.equal(out.span.text, '2026-11-20T11:30:00Z/2026-11-20T13:30:00Z');
});

test('zooming out ends with the years of the API', () => {
  let view = { span: spanOf(at('08:00:00'), at('09:00:00')), last: null };
  for (let i = 0; i < 30; i++) view = zoomedOut(view, at('23:00:00'));
  assert.equal(view.span.fromMillis, FIRST_MILLIS);
  let last = { span: lastSpan('24h', at('08:00:00')), last: '24h' };
  for (let i = 0; i < 30; i++) last = zoomedOut(last, at('08:00:00'));
  assert.notEqual(lastSpan(last.last, at('08:00:00')), null);
});
