#!/usr/bin/env node
/** A stand-in for Hourglass: the built page and the query API over made-up events.  server.mjs [--port N] [--empty] [--keys] */
import { createReadStream, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { busyHours, describe, hourOf, hourText, timeOf } from './events.mjs';
import { Keys, NO_KEYS } from './keys.mjs';

const { values: options } = parseArgs({ options: { port: { type: 'string', default: '0' }, empty: { type: 'boolean', default: false }, keys: { type: 'boolean', default: false } } });
const PAGE = fileURLToPath(new URL('../../../target/classes/hourglass/dashboard', import.meta.url));
const HOUR_MILLIS = 3_600_000;
/** From here on the made-up hours go on. */
const OPEN_FROM = Date.parse('2026-11-20T08:00:00Z');
const TARGET = { columns: 8_500, bytes: 10_485_760 };
const MEDIA = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

const started = Date.now();
const keys = options.keys ? new Keys() : NO_KEYS;

class Refused extends Error {}

/** The part from here to there is none of the few filters that are read here. */
class BadFilter extends Refused {
  constructor(q, from, to) {
    super(`q: "${q}": a value is missing, or the made-up server does not know such a filter`);
    this.facts = { parameter: 'q', reason: 'a value is missing, or the made-up server does not know such a filter', from, to, fix: null };
  }
}
class Absent extends Error {}

/** What a query selects: [from, to), types, and the busy hours that it touches. */
function selection(query) {
  const hour = query.get('hour');
  if (hour !== null && !/^\d{4}-\d{2}-\d{2}T\d{2}$/.test(hour)) throw new Refused(`hour: "${hour}" is not like 2026-11-20T08`);
  const from = hour ? Date.parse(`${hour}:00:00Z`) : Date.parse(query.get('from') ?? '2000-01-01T00:00:00Z');
  const to = hour ? from + HOUR_MILLIS : Date.parse(query.get('to') ?? '2100-01-01T00:00:00Z');
  const types = new Set(query.getAll('type'));
  const fits = filter(query);
  const has = (event, start, i) => (types.size === 0 || types.has(event.type)) && query.sees(event.type) && fits(start, i, event);
  return { from, to, has, hours: options.empty ? [] : busyHours(from, to) };
}

/** The only filters here, joined by blanks: words, and `name:=value` or `-name:=value`. The real server reads the others. */
function partsOf(q) {
  let at = 0;
  return (q === '' ? [] : q.split(' ')).map((text) => {
    const from = at;
    at += text.length + 1;
    const [, not, name, value] = /^(-?)([\w.]+):="?([^"\s]+)"?$/.exec(text) ?? [];
    if (name === undefined && !/^\w+$/.test(text)) throw new BadFilter(q, from, from + text.length);
    return { from, to: from + text.length, not: not === '-', name, value: value ?? text };
  });
}

/** Whether an event passes `q`. */
function filter(query) {
  const parts = partsOf(query.get('q') ?? '');
  if (parts.length === 0) return () => true;
  return (start, i, event) => {
    const { type, data } = describe(start, i, event);
    const valueOf = (name) => (name === 'type' ? type : name.split('.').reduce((value, key) => value?.[key], data));
    return parts.every(({ not, name, value }) => (name ? (String(valueOf(name)) === value) !== not : json(data).toLowerCase().includes(value.toLowerCase())));
  };
}

function filterAnswer(query) {
  const q = [query.get('q') ?? '', query.get('and') ?? ''].filter(Boolean).join(' ');
  const parts = partsOf(q);
  const nameOf = (name) => (name === 'type' ? name : `data.${name}`);
  return {
    q, language: parts.length > 0 ? 'words' : 'none', where: '', contains: '', type: [], id: null,
    word: parts.filter(({ name }) => !name).map(({ value }) => value),
    parts: parts.map(({ from, to }) => ({ from, to })),
    fields: parts.filter(({ name }) => name).map(({ from, name, not }) => ({ field: nameOf(name), from: from + Number(not), to: from + Number(not) + name.length })),
    marks: parts.filter(({ not }) => !not).map(({ name, value }) => ({ field: name ? nameOf(name) : 'data', text: value, whole: Boolean(name), words: !name })),
  };
}

function one(id) {
  const micros = /^([0-9a-f]{8})-/.exec(id);
  for (const start of micros ? busyHours(0, Infinity) : []) {
    const i = Number.parseInt(micros[1], 16) - 0x10000000;
    const event = hourOf(start)[i];
    if (event && describe(start, i, event).id === id) return describe(start, i, event);
  }
  throw new Absent(`no event has the id ${id}`);
}

function plan(query) {
  const { hours, has } = selection(query);
  const columns = hours.reduce((sum, start) => sum + hourOf(start).filter((event, i) => has(event, start, i)).length, 0);
  return { hours: hours.length, rows: 12 * hours.length, columns, bytes: columns * 171 };
}

function events(query) {
  const { from, to, hours, has } = selection(query);
  const descending = query.get('order') === 'desc';
  const limit = query.get('limit') === 'all' ? Infinity : Number(query.get('limit') ?? 1000);
  const around = query.get('around');
  let skip = Number(query.get('cursor') ?? 0);
  const found = [];
  for (const start of descending ? hours.toReversed() : hours) {
    const all = hourOf(start);
    for (let n = 0; n < all.length && found.length <= limit; n++) {
      const i = descending ? all.length - 1 - n : n;
      const millis = start + all[i].micros / 1000;
      if (millis < from || millis >= to) continue;
      if (has(all[i], start, i) && skip-- <= 0) found.push(describe(start, i, all[i]));
    }
  }
  if (around) return aroundOf(query, around);
  const cursor = found.length > limit ? String(Number(query.get('cursor') ?? 0) + limit) : null;
  return { events: found.slice(0, limit), cursor, rows: { asked: 12, answered: 12 }, complete: true };
}

/** The one event, and the cursor of what follows it. */
function aroundOf(query, id) {
  const all = Object.assign(new URLSearchParams(query), { sees: query.sees });
  all.delete('around');
  all.set('limit', 'all');
  const found = events(all).events;
  const at = found.findIndex((event) => event.id === id);
  return { events: found.slice(at, at + 1), cursor: at + 1 < found.length ? String(at + 1) : null, rows: { asked: 12, answered: 12 }, complete: true };
}

function hits(query) {
  const { from, to, hours, has } = selection(query);
  const [, n, unit] = /^(\d+)(ms|s|m|h|d)$/.exec(query.get('step') ?? '1m');
  const stepMillis = Number(n) * { ms: 1, s: 1000, m: 60_000, h: HOUR_MILLIS, d: 24 * HOUR_MILLIS }[unit];
  const series = new Map();
  let total = 0;
  for (const start of hours) {
    for (const [i, event] of hourOf(start).entries()) {
      const millis = start + event.micros / 1000;
      if (millis < from || millis >= to || !has(event, start, i)) continue;
      if (!series.has(event.type)) series.set(event.type, new Array(Math.ceil((to - from) / stepMillis)).fill(0));
      series.get(event.type)[Math.floor((millis - from) / stepMillis)]++;
      total++;
    }
  }
  return { step_ms: stepMillis, from: new Date(from).toISOString(), to: new Date(to).toISOString(), series: [...series].map(([type, counts]) => ({ type, counts })), total };
}

/** The values of each field of the selection: by name, each with its count. */
function valuesByField(query) {
  const { hours, has, from, to } = selection(query);
  const found = new Map();
  let events = 0;
  for (const start of hours) {
    for (const [i, event] of hourOf(start).entries()) {
      const millis = start + event.micros / 1000;
      if (millis < from || millis >= to || !has(event, start, i)) continue;
      events++;
      for (const [name, value] of leavesOf(describe(start, i, event).data, 'data')) {
        if (!found.has(name)) found.set(name, new Map());
        found.get(name).set(value, (found.get(name).get(value) ?? 0) + 1);
      }
    }
  }
  return { found, events };
}

function leavesOf(value, name) {
  if (value === null || typeof value !== 'object') return [[name, value]];
  return Array.isArray(value) ? [] : Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, `${name}.${key}`));
}

const frequent = (counts, n) => [...counts].sort((a, b) => b[1] - a[1]).slice(0, n).map(([value, count]) => ({ value, count, error_max: 0 }));
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

function fields(query) {
  const { found, events } = valuesByField(query);
  const described = [...found].map(([field, counts]) => {
    const kinds = { number: 0, string: 0, boolean: 0, null: 0, object: 0, list: 0 };
    for (const [value, count] of counts) kinds[value === null ? 'null' : typeof value === 'bigint' ? 'number' : typeof value] += count;
    return { field, events: sum([...counts.values()]), kinds, distinct: counts.size, distinct_exact: true, values: frequent(counts, 5), values_exact: true };
  });
  return { fields: described.sort((a, b) => b.events - a.events).slice(0, Number(query.get('n') ?? 200)), events, more: false, complete: true };
}

function top(query) {
  const { found, events } = valuesByField(query);
  const counts = found.get(query.get('field')) ?? new Map();
  return { field: query.get('field'), values: frequent(counts, Number(query.get('n') ?? 20)), events, absent: events - sum([...counts.values()]), nested: 0, too_long: 0, exact: true, distinct: counts.size, others_max: 0, complete: true };
}

function types(query) {
  const counts = new Map();
  const { hours, has } = selection(query);
  for (const start of hours) for (const [i, event] of hourOf(start).entries()) if (has(event, start, i)) counts.set(event.type, (counts.get(event.type) ?? 0) + 1);
  return { types: [...counts].map(([type, count]) => ({ type, count, bytes: count * 171 })) };
}

function rows(query) {
  const found = new Map();
  const taken = new Map();
  const { hours, has } = selection(query);
  for (const start of hours) {
    const text = hourText(start);
    const prefix = `${text.slice(8, 10)}${text.slice(5, 7)}${text.slice(2, 4)}${text.slice(11)}`;
    hourOf(start).forEach((event, i) => {
      if (!has(event, start, i)) return;
      const nth = taken.get(event.type) ?? 0;
      taken.set(event.type, nth + 1);
      const shard = shardOf(event.type, nth);
      const key = `${prefix}|${event.type.replaceAll('|', '%7C')}|${shard}`;
      const time = timeOf(start, event);
      const row = found.get(key) ?? { row: key, type: event.type, shard, columns: 0, bytes: 0, first: time, sealed: start < OPEN_FROM, target: TARGET };
      found.set(key, Object.assign(row, { columns: row.columns + 1, bytes: row.bytes + 171, last: time }));
    });
  }
  return describeRows([...found.values()], hours.length > 0 ? hourText(hours[0]) : '');
}

/** Two rows side by side, and the next two when these are full; many for few; and one for all others, some too wide. */
function shardOf(type, nth) {
  if (type === 'page.view') return 2 * Math.floor(nth / (2 * TARGET.columns)) + (nth % 2);
  return type === 'audit' ? nth % 40 : 0;
}

function describeRows(all, hour) {
  const described = all.map((row) => ({ ...row, fill: row.columns / TARGET.columns, ...lifeOf(row) }));
  const types = [...new Set(described.map((row) => row.type))].map((type) => typeOf(hour, type, described.filter((row) => row.type === type)));
  return { rows: described, types, claims: { asked: 12, answered: 11 }, complete: true };
}

function lifeOf({ type, columns, sealed }) {
  if (sealed) return { state: 'sealed', growth: null, writers: null };
  const sole = type === 'page.view';
  const full = columns >= 0.99 * TARGET.columns;
  const writers = type === 'cron' ? null : (sole ? ['3k5x9zq0a1'] : ['3k5x9zq0a1', '1v0c2m8d7s']).map((writer) => ({ writer, sole, ...TARGET }));
  return { state: full ? 'full' : !writers ? 'open' : sole ? 'filling' : 'shared', growth: { columns_per_s: full ? 0 : columns / 480, over_s: 12.5 }, writers };
}

function typeOf(hour, type, rows) {
  const sum = (of) => rows.reduce((total, row) => total + of(row), 0);
  const columns = sum((row) => row.columns);
  const skew = (places) => ({ max_over_mean: (Math.max(...rows.map((row) => row.columns)) * rows.length) / columns, gini: 0.034, ...places });
  return {
    hour, type, rows: rows.length, columns, bytes: sum((row) => row.bytes), row_skew: skew({ rows: rows.length }), node_skew: rows.length > 1 ? skew({ nodes: 3 }) : null,
    writers: rows[0].writers?.length ?? null, writers_unknown: rows[0].writers ? null : rows[0].sealed ? 'all rows are sealed' : 'claims could not be read: the store did not answer in time', proposal: proposalOf(type, rows),
  };
}

function proposalOf(type, rows) {
  if (type === 'audit') return { setting: 'bucketing.shards-by-type."audit"', value: 'adaptive', reason: `${rows.length} rows hold what fits into 1; the number of this type's rows is fixed. adaptive makes as many as its traffic needs, each within its target; change it in all processes together` };
  const wide = rows.find((row) => row.sealed && row.columns > 1.1 * TARGET.columns);
  if (wide) return { setting: 'bucketing.target-columns', value: String(TARGET.columns), reason: `row ${wide.row} has ${(wide.columns / TARGET.columns).toFixed(1)} times the target of this process: one that writes has a higher target, or had; give all of them the same` };
  return null;
}

/** What a process refused. */
const rejects = () => ({
  total: 17,
  rejects: [
    { type: null, reason: 'event: not JSON', count: 12, last: '2026-11-20T08:12:01.0000000Z', samples: [{ reason: 'byte 14: not JSON', event: '{"type":"login"' }] },
    { type: 'checkout', reason: 'time: not a time', count: 5, last: '2026-11-20T08:40:17.0000000Z', samples: [{ reason: 'time: not a time: "yesterday"', event: '{"type":"checkout","time":"yesterday","amount":42}' }] },
  ],
});

/** Events of now without an end, some of them late. */
function tail(query, request, response) {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  const types = query.getAll('type');
  let n = Number(request.headers['last-event-id'] ?? 0);
  const timer = setInterval(() => {
    if (keys.refusal(request)) return response.end();
    n++;
    const late = n % 20 === 0;
    const event = describe(Date.now() - (late ? 90_000 : 2_000), n, { micros: n % 1000, type: types[n % types.length] ?? 'page.view' });
    response.write(`id: ${n}\n${late ? 'event: late\n' : ''}data: ${json(event)}\n\n`);
  }, 100);
  response.on('close', () => clearInterval(timer));
  return undefined;
}

/** A process that consumes two topics: what came grows with the clock. */
function metrics() {
  const seconds = Math.floor(Date.now() / 1000) % 100_000;
  const orders = 180 * seconds;
  const clicks = 2_400 * seconds;
  const lines = [
    `hourglass_ingest_events_total{verdict="accepted"} ${orders + clicks + 900_000}.0`,
    'hourglass_ingest_events_total{verdict="rejected"} 17.0',
    `hourglass_kafka_records_total{topic="orders",verdict="accepted"} ${orders}.0`,
    `hourglass_kafka_records_total{topic="clicks.eu",verdict="accepted"} ${clicks}.0`,
    'hourglass_kafka_records_total{topic="clicks.eu",verdict="rejected"} 17.0',
    'hourglass_kafka_records_total{topic="orders",verdict="tombstone"} 3.0',
    `hourglass_kafka_commits_total ${seconds}.0`,
    'hourglass_kafka_dead_letters_total 17.0',
    'hourglass_kafka_pauses_total 2.0',
    'hourglass_kafka_troubled 1.0',
    `hourglass_store_disk_bytes ${4_100_000_000 + 900 * seconds}.0`,
    'hourglass_store_log_bytes 67108864.0',
    'hourglass_store_open_bytes 21400000.0',
    `process_start_time_seconds ${Math.floor(started / 1000)}.0`,
  ];
  for (let partition = 0; partition < 4; partition++) {
    const labels = `{partition="${partition % 3}",topic="${partition < 3 ? 'clicks.eu' : 'orders'}"}`;
    lines.push(`hourglass_kafka_lag${labels} ${partition * 4_100}.0`, `hourglass_kafka_held${labels} ${partition * 900}.0`);
    lines.push(`hourglass_kafka_paused${labels} ${partition === 2 ? 1 : 0}.0`, `hourglass_kafka_committed${labels} ${seconds * 800 + partition}.0`);
  }
  return lines.join('\n');
}

const API = { '/api/v1/events': events, '/api/v1/hits': hits, '/api/v1/types': types, '/api/v1/fields': fields, '/api/v1/top': top, '/api/v1/rows': rows, '/api/v1/plan': plan, '/api/v1/rejects': rejects, '/api/v1/filter': filterAnswer, '/health/ready': () => ({ status: 'ready', store: 'ready', kafka: 'broker 127.0.0.1:9092 does not answer since 12 s' }) };

/** JSON with the numbers that JavaScript has no room for. */
const json = (value) => JSON.stringify(value, (_, v) => (typeof v === 'bigint' ? `#${v}#` : v)).replace(/"#(\d+)#"/g, '$1');

function answer(request, response) {
  const url = new URL(request.url, 'http://localhost');
  if (keys.answers(request, url, response)) return undefined;
  const refusal = keys.refusal(request, url.pathname);
  if (refusal) return problem(response, refusal);
  url.searchParams.sees = (type) => keys.sees(request, type);
  if (url.pathname === '/metrics') return response.setHeader('Content-Type', 'text/plain').end(metrics());
  if (url.pathname === '/api/v1/tail') return tail(url.searchParams, request, response);
  const id = /^\/api\/v1\/events\/(.+)$/.exec(url.pathname);
  const ask = id ? () => one(id[1]) : API[url.pathname];
  if (!ask) return file(url.pathname, response);
  try {
    const answered = ask(url.searchParams);
    if (url.searchParams.get('format') === 'ndjson') return response.setHeader('Content-Type', 'application/x-ndjson').end(answered.events.map((event) => `${json(event)}\n`).join(''));
    response.setHeader('Content-Type', 'application/json');
    return response.end(json(answered));
  } catch (e) {
    if (!(e instanceof Refused || e instanceof Absent)) throw e;
    return problem(response, e instanceof Refused ? { title: 'Bad Request', status: 400, detail: e.message, ...e.facts } : { title: 'Not Found', status: 404, detail: e.message });
  }
}

function problem(response, problem) {
  response.writeHead(problem.status, { 'Content-Type': 'application/problem+json', ...(problem.status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}) });
  return response.end(JSON.stringify({ type: 'about:blank', ...problem }));
}

/** As the real server limits the page. */
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

function file(path, response) {
  const name = join(PAGE, normalize(path === '/' ? '/index.html' : path));
  if (!existsSync(name)) return response.writeHead(404).end();
  response.setHeader('Content-Security-Policy', POLICY);
  response.setHeader('Content-Type', MEDIA[extname(name)] ?? 'application/octet-stream');
  return createReadStream(name).pipe(response);
}

const server = createServer(answer);
server.listen(Number(options.port), '127.0.0.1', () => console.log(`ready http://127.0.0.1:${server.address().port}`));
