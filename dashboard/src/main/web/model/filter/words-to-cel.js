import { literalOf } from './cel.js';
import { ExactNumber } from '../exact-number.js';
import { canRefer, isNotThere, isThere, OUTSIDE, reference, resolve } from './field-reference.js';
import { Unclear } from './filter-words.js';

/**
 * Simple words as the API's parameters. A text is `contains`, of which a question has one; tests are CEL. Whatever these cannot say is
 * refused, never left out.
 */

const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;
const WORDS = { true: true, false: false, null: null };
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
  return test.op === 'exists' ? isThere(name) : condition(test, name, known);
}

function without(test, known) {
  const name = nameOf(test, known);
  const absent = isNotThere(name);
  if (test.op === 'exists') return absent.length === 0 ? 'false' : bracketed(absent);
  const text = condition(test, name, known);
  const other = isEquality(text) ? text.replace(' == ', ' != ') : `!(${text})`;
  return absent.length === 0 ? other : bracketed([...absent, other]);
}

const bracketed = (parts) => (parts.length === 1 ? parts[0] : `(${parts.join(' || ')})`);

/** A comparison with one literal: the first `==` is then the only one. */
const isEquality = (text) => /^[^"]* == ("(?:\\.|[^"\\])*"|[^"\s]+)$/.test(text);

function nameOf({ field, ...place }, known) {
  const name = resolve(field, known);
  if (OUTSIDE.includes(name) || canRefer(name)) return name;
  throw new Unclear(`${field} is no name of a field that an expression can have`, place);
}

function condition(test, name, known) {
  const place = reference(name);
  if (name === 'time') return ofTime(test, place);
  const kinds = OUTSIDE.includes(name) ? { string: 1 } : (known.get(name)?.kinds ?? {});
  if (test.op !== 'is') return `${place} ${test.op} ${ordered(test, kinds)}`;
  const patterns = test.values.filter(isPattern);
  const literals = test.values.filter((value) => !isPattern(value)).flatMap((value) => literalsOf(value, kinds));
  const parts = [...(literals.length > 0 ? [equal(place, literals, kinds)] : []), ...patterns.map((value) => like(place, value.text))];
  return parts.length === 1 ? parts[0] : `(${parts.join(' || ')})`;
}

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
  const [kind, literal] = NUMBER.test(text) ? ['number', literalOf(new ExactNumber(text))] : text in WORDS ? [text === 'null' ? 'null' : 'boolean', text] : [null, null];
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

function ofTime(test, place) {
  const [{ text }] = test.values;
  if (test.op === 'exists' || test.values.length > 1 || !TIME.test(text)) throw new Unclear('A time reads like time:>=2026-11-20T08:30', test);
  const [, day, clock = 'T00:00:00', zone = 'Z'] = /^(.{10})(T[\d:.]+)?(.*)?$/.exec(text);
  const full = `${day}${clock.length === 6 ? `${clock}:00` : clock}${zone || 'Z'}`;
  if (Number.isNaN(Date.parse(full))) throw new Unclear(`There is no time ${text}`, test);
  return `${place} ${test.op === 'is' ? '==' : test.op} timestamp("${full}")`;
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
