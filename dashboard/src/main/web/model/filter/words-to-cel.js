import { literalOf } from './cel.js';
import { ExactNumber } from '../exact-number.js';
import { DAY_MILLIS } from '../time/range.js';
import { fieldMillis } from '../time/local-time.js';
import { shownZone } from '../time/zone.js';
import { above, canRefer, isNotThere, isThere, OUTSIDE, reference, resolve } from './field-reference.js';
import { Unclear } from './filter-words.js';

/**
 * Translates simple words into the API's parameters. A text becomes `contains`, which a query has once; a condition
 * becomes CEL. What neither can express is refused, never left out.
 */

const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;
const WORDS = new Set(['true', 'false', 'null']);
const TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?(?:Z|[+-]\d\d:\d\d)?$/;

/**
 * @param tree from readWords
 * @param {Map<string, {kinds: object}>} known the fields of the view by name, as far as they are known
 * @returns {{contains: string, where: string}}
 * @throws {Unclear}
 */
export function wordsToCel(tree, known) {
  const items = tree.kind === 'and' ? tree.items : [tree];
  const texts = items.filter(({ kind }) => kind === 'text');
  if (texts.length > 1) {
    throw new Unclear('Only one text can be searched at a time. Words side by side are one text; for others name a field, as in path:*cart*', texts[1]);
  }
  const tests = items.filter(({ kind }) => kind !== 'text').map((item) => expression(item, known, false, items.length > 1));
  return { contains: texts[0]?.text ?? '', where: tests.join(' && ') };
}

/**
 * A negated tree is turned inside out, so that each test decides by itself what an event without the field means.
 *
 * @param within whether it stands between `&&`
 */
function expression(node, known, not, within) {
  switch (node.kind) {
    case 'not':
      return expression(node.item, known, !not, within);
    case 'text':
      throw new Unclear(not ? 'A text cannot be left out as a whole; name the field, as in -path:*cart*' : 'A text cannot be one of several choices; name the field, as in path:*cart*', node);
    case 'test':
      return not ? without(node, known) : having(node, known);
    default: {
      const either = (node.kind === 'or') !== not;
      const parts = node.items.map((item) => expression(item, known, not, !either));
      const text = parts.join(either ? ' || ' : ' && ');
      return either && within ? `(${text})` : text;
    }
  }
}

function having(test, known) {
  const name = nameOf(test, known);
  return test.op === 'exists' ? isThere(name) : condition(test, name, known, false);
}

function without(test, known) {
  const name = nameOf(test, known);
  const absent = [...isNotThere(name), ...noObjects(name, known)];
  if (test.op === 'exists') return absent.length === 0 ? 'false' : bracketed(absent);
  const other = condition(test, name, known, true);
  return absent.length === 0 ? other : bracketed([...absent, other]);
}

/** In some events a value stands where there would be an object on the way to the field: those are without it too. */
const noObjects = (name, known) =>
  above(name).flatMap((object) =>
    Object.entries(known.get(object)?.kinds ?? {})
      .filter(([kind, events]) => kind !== 'object' && events > 0)
      .map(([kind]) => hasKind(reference(object), kind)));

const bracketed = (parts) => (parts.length === 1 ? parts[0] : `(${parts.join(' || ')})`);

function nameOf({ field, ...place }, known) {
  const name = resolve(field, known);
  if (OUTSIDE.includes(name) || canRefer(name)) return name;
  throw new Unclear(`${field} is no name of a field that an expression can have`, place);
}

/** @param not whether the test is negated: a value of a kind that it is an error for is then one of the others */
function condition(test, name, known, not) {
  const place = reference(name);
  if (name === 'time') return negated(ofTime(test, place), not);
  const kinds = OUTSIDE.includes(name) ? { string: 1 } : (known.get(name)?.kinds ?? {});
  const guarded = (kind, text) => (not && !isAlways(kinds, kind) ? `${hasKind(place, kind)} && ${text}` : text);
  if (test.op !== 'is') {
    const bound = ordered(test, kinds);
    return negated(guarded(bound.startsWith('"') ? 'string' : 'number', `${place} ${test.op} ${bound}`), not);
  }
  const patterns = test.values.filter(isPattern);
  if (patterns.length > 0) checkTexts(test, kinds);
  const literals = test.values.filter((value) => !isPattern(value)).flatMap((value) => literalsOf(value, kinds));
  const isList = onlyKind(kinds, 'list');
  if (patterns.length === 0 && literals.length === 1 && !isList) return `${place} ${not ? '!=' : '=='} ${literals[0]}`;
  const parts = patterns.map((value) => guarded('string', like(place, value.text)));
  if (literals.length > 0) parts.unshift(isList ? guarded('list', equal(place, literals, kinds)) : equal(place, literals, kinds));
  return negated(not ? parts.join(' || ') : bracketed(parts), not);
}

const negated = (text, not) => (not ? `!(${text})` : text);

/** A pattern is an error for whatever is no text: without any text there, it is a slip. */
function checkTexts(test, kinds) {
  const kind = Object.keys(kinds).find((other) => other !== 'null' && kinds[other] > 0);
  if (kind === undefined || kinds.string > 0) return;
  const { field } = test;
  if (kind === 'number') throw new Unclear(`${field} is a number; write ${field}:>=500`, test);
  throw new Unclear(`${field} is ${kind === 'object' ? 'an' : 'a'} ${kind}; * stands for a part of a text`, test);
}

/** The kinds of the API as CEL names them, but numbers, which have two types. */
const TYPES = { boolean: 'bool', null: 'null_type' };

const hasKind = (place, kind) => (kind === 'number' ? `(type(${place}) == int || type(${place}) == double)` : `type(${place}) == ${TYPES[kind] ?? kind}`);

/** Whether no value is known that is of another kind. */
const isAlways = (kinds, kind) => kinds[kind] > 0 && Object.entries(kinds).every(([other, events]) => other === kind || events === 0);

function equal(place, literals, kinds) {
  if (onlyKind(kinds, 'list')) {
    const within = literals.map((literal) => `${literal} in ${place}`);
    return within.length === 1 ? within[0] : `(${within.join(' || ')})`;
  }
  return literals.length === 1 ? `${place} == ${literals[0]}` : `${place} in [${literals.join(', ')}]`;
}

/** What looks like a number may be a text in some events: both, unless the kinds that the field has are known. */
function literalsOf({ text, quoted }, kinds) {
  const string = JSON.stringify(text);
  if (quoted) return [string];
  const [kind, literal] = NUMBER.test(text) ? ['number', literalOf(new ExactNumber(text))] : WORDS.has(text) ? [text === 'null' ? 'null' : 'boolean', text] : [null, null];
  if (literal === null) return [string];
  if (onlyKind(kinds, kind) || onlyKind(kinds, 'list')) return [literal];
  return onlyKind(kinds, 'string') ? [string] : [literal, string];
}

function ordered(test, kinds) {
  const [{ text, quoted }] = test.values;
  const number = !quoted && NUMBER.test(text) ? literalOf(new ExactNumber(text)) : null;
  return number === null || onlyKind(kinds, 'string') ? JSON.stringify(text) : number;
}

const onlyKind = (kinds, kind) => kinds[kind] > 0 && Object.entries(kinds).every(([other, events]) => other === kind || other === 'null' || events === 0);

/** A day alone is all of it. */
function ofTime(test, place) {
  const [{ text }] = test.values;
  if (test.op === 'exists' || test.values.length > 1 || !TIME.test(text)) throw new Unclear('A time reads like time:>=2026-11-20T08:30', test);
  const [, day, clock, zone] = /^(.{10})(T[\d:.]+)?(.*)$/.exec(text);
  const at = (days, time) => {
    const stamp = stampOf(day, days, time, zone);
    if (stamp === null) throw new Unclear(`There is no time ${text}`, test);
    return `timestamp("${stamp}")`;
  };
  if (clock !== undefined) return `${place} ${test.op === 'is' ? '==' : test.op} ${at(0, clock)}`;
  const [from, to] = [at(0, 'T00:00'), at(1, 'T00:00')];
  if (test.op === 'is') return `${place} >= ${from} && ${place} < ${to}`;
  return { '>': `${place} >= ${to}`, '>=': `${place} >= ${from}`, '<': `${place} < ${from}`, '<=': `${place} < ${to}` }[test.op];
}

/**
 * An instant as CEL has it; clocks without a zone are those that the page shows. Null where there is no such day or
 * time.
 */
function stampOf(day, days, clock, zone) {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(day)) return null;
  const date = new Date(midnight + days * DAY_MILLIS).toISOString().slice(0, 10);
  const [, minutes, seconds = ':00', fraction = ''] = /^(T\d\d:\d\d)(:\d\d)?(\.\d+)?$/.exec(clock);
  const text = `${date}${minutes}${seconds}`;
  if (zone !== '') return Number.isNaN(Date.parse(text + zone)) ? null : `${text}${fraction}${zone}`;
  const millis = fieldMillis(text, shownZone());
  return millis === null ? null : `${new Date(millis).toISOString().slice(0, 19)}${fraction}Z`;
}

const isPattern = ({ text, quoted }) => !quoted && text.includes('*');

/** `*` stands for any text. */
function like(place, pattern) {
  const parts = pattern.split('*');
  const [first, ...rest] = parts;
  const inner = rest.slice(0, -1);
  const last = rest.at(-1);
  const said = (name, text) => `${place}.${name}(${JSON.stringify(text)})`;
  if (rest.length === 1 && last === '') return said('startsWith', first);
  if (rest.length === 1 && first === '') return said('endsWith', last);
  if (rest.length === 2 && first === '' && last === '') return said('contains', inner[0]);
  return said('matches', `(?s)^${parts.map(escaped).join('.*')}$`);
}

const escaped = (text) => text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
