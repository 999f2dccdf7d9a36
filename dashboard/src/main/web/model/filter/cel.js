import { ExactNumber } from '../exact-number.js';
import { isWord } from './field-reference.js';
import { kindOf } from '../json-preview.js';

/**
 * Clauses of the language of `where` (CEL) about a value of an event that no other clause can say. A path is the names
 * and indexes that lead to the value within `data`; an index stands for any element, since its place in a list says
 * little.
 */

const INT = /^-?\d+$/;
const INT_MIN = -(2n ** 63n);
const INT_MAX = 2n ** 63n - 1n;

/** The clause that events match which have this value there. */
export const elementIs = (path, value) => test('data', path, literalOf(value), false);

/** The clause that all other events match, also those without such a field. */
export function elementIsNot(path, value) {
  const { field, rest } = split(path);
  const same = test('data', path, literalOf(value), true);
  const other = rest === null ? `${access('data', path)} != ${literalOf(value)}` : `!${rest.length === 0 ? `(${same})` : same}`;
  return `(${[...guards('data', field, '!'), other].join(' || ')})`;
}

/** The value as CEL writes it, or null where it cannot. */
export function literalOf(value) {
  switch (kindOf(value)) {
    case 'string':
      // The escapes of JSON are escapes of CEL too, with the same meaning.
      return value.isWellFormed() ? JSON.stringify(value) : null;
    case 'number':
      return numberOf(value);
    case 'boolean':
    case 'null':
      return String(value);
    default:
      return null;
  }
}

/** `data.path`, `data["user-agent"]` */
const access = (of, path) => path.reduce((text, name) => (isWord(name) ? `${text}.${name}` : `${text}[${JSON.stringify(name)}]`), of);

/** @param guarded whether to test that fields of elements exist: a negated term must not fail */
function test(of, path, literal, guarded, depth = 0) {
  const { field, rest } = split(path);
  const place = access(of, field);
  if (rest === null) return `${place} == ${literal}`;
  if (rest.length === 0) return `${literal} in ${place}`;
  const element = depth === 0 ? 'i' : `i${depth + 1}`;
  const fields = guarded ? guards(element, split(rest).field, '') : [];
  return `${place}.exists(${element}, ${[...fields, test(element, rest, literal, guarded, depth + 1)].join(' && ')})`;
}

/** The names before the first index, and the rest; null without an index. */
function split(path) {
  const at = path.findIndex((part) => typeof part === 'number');
  return at < 0 ? { field: path, rest: null } : { field: path.slice(0, at), rest: path.slice(at + 1) };
}

/** Tests for each field on the way, outermost first: one that is not there would make the whole no match. */
const guards = (of, path, not) => path.map((name, i) => `${not}${there(access(of, path.slice(0, i)), name, not)}`);

function there(of, name, not) {
  if (isWord(name)) return `has(${of}.${name})`;
  return not ? `(${JSON.stringify(name)} in ${of})` : `${JSON.stringify(name)} in ${of}`;
}

function numberOf(value) {
  const text = value instanceof ExactNumber ? value.digits : String(value);
  if (!INT.test(text)) return Number.isFinite(Number(text)) ? text : null;
  const whole = BigInt(text);
  if (whole >= INT_MIN && whole <= INT_MAX) return String(whole);
  return Number.isFinite(Number(text)) ? `${text}.0` : null;
}
