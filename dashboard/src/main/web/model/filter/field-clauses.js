import { kindOf } from '../json-preview.js';
import { fieldName } from '../fields.js';
import { elementIs, elementIsNot, literalOf } from './cel.js';
import { canRefer, isNotThere, isThere, OUTSIDE, reference } from './field-reference.js';

/**
 * Parts of a filter that a click on a field or a value means, as docs/filters.md writes them: `level:=error`,
 * `-status:=500`, `_exists_:user`. What those cannot say, such as a text of two lines, is an expression.
 */

/** As the server reads names without backticks. */
const WORD = '[\\p{L}_@$](?:[\\p{L}\\p{M}\\p{N}_@$-]*[\\p{L}\\p{M}\\p{N}_@$])?';
const PLAIN_NAME = new RegExp(`^${WORD}(?:\\.${WORD})*$`, 'u');

/** Names that have a meaning of their own. */
const TAKEN = new Set([...OUTSIDE, '_exists_', '_missing_']);

/** Texts that need no quotes, whatever follows them. */
const PLAIN_TEXT = /^(?:[\p{L}_]|\/(?=[\p{L}\p{N}]))[\p{L}\p{N}_-]*(?:[./][\p{L}\p{N}_-]+)*$/u;
const OTHER_VALUES = /^(?:true|false|null|and|or|not|to|in)$/i;

/** Digits that the server reads as a number; more would be a text. */
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;
const DIGITS_MAX = 40;

const LINE_END = /[\r\n]/;

/** A field by its name in the API as it is typed, without `data.` where that is clear; null for a name that cannot be. */
export function typedField(name) {
  const short = name.replace(/^data\./, '');
  const text = name === short || (!TAKEN.has(short) && !short.startsWith('data.')) ? short : name;
  if (PLAIN_NAME.test(text)) return text;
  return text === '' || /[`\r\n]/.test(text) || !text.isWellFormed() ? null : `\`${text}\``;
}

/** A value as it is typed to be compared with; null for one that cannot be. */
export function typedValue(value) {
  switch (kindOf(value)) {
    case 'string':
      if (!value.isWellFormed() || LINE_END.test(value)) return null;
      return PLAIN_TEXT.test(value) && !OTHER_VALUES.test(value) ? value : quoted(value);
    case 'number':
      return NUMBER.test(String(value)) && String(value).length <= DIGITS_MAX && Number.isFinite(Number(value)) ? String(value) : null;
    case 'boolean':
    case 'null':
      return String(value);
    default:
      return null;
  }
}

/** A text in quotes, which only these and the backslash need. */
export const quoted = (text) => `"${text.replace(/["\\]/g, '\\$&')}"`;

/** Whether a clause can say this; lone surrogates and numbers beyond a double have none. */
export const canSay = (name, value) => typed(name, value) !== null || ((OUTSIDE.includes(name) || canRefer(name)) && literalOf(value) !== null);

/** Events with the value. */
export const hasValue = (name, value) => typed(name, value) ?? `${reference(name)} == ${literalOf(value)}`;

/** All other events, also those without the field. */
export function hasNotValue(name, value) {
  const clause = typed(name, value);
  if (clause !== null) return `-${clause}`;
  const other = `${reference(name)} != ${literalOf(value)}`;
  return anyOf([...isNotThere(name), other]);
}

/** Whether a clause can ask for the field itself. */
export const canAsk = (name) => typedField(name) !== null || canRefer(name);

/** Events that have the field. */
export const exists = (name) => typedExistence(name) ?? isThere(name);

export function existsNot(name) {
  const clause = typedExistence(name);
  return clause !== null ? `-${clause}` : anyOf(isNotThere(name));
}

/** Numbers of [from, to); of the last range also its end. */
export function inRange(name, { from, to, last }) {
  const field = typedField(name);
  if (from === to) return hasValue(name, from);
  if (field === null) return `${reference(name)} >= ${literalOf(from)} && ${reference(name)} ${last ? '<=' : '<'} ${literalOf(to)}`;
  return last ? `${field}:${from}..${to}` : `${field}:[${from} TO ${to}}`;
}

/** Whether a click on the value that a path leads to can mean a clause. */
export function canFilter(path, value) {
  const names = path.every((part) => typeof part === 'number' || part.isWellFormed());
  return names && literalOf(value) !== null;
}

/** Events that have the value at the end of a path, whose indexes stand for any element of their list. */
export const having = (path, value) => typedPath(path, value) ?? elementIs(path, value);

/** All other events, also those without such a field. */
export function without(path, value) {
  const clause = typedPath(path, value);
  return clause !== null ? `-${clause}` : elementIsNot(path, value);
}

const anyOf = (parts) => (parts.length === 1 ? parts[0] : `(${parts.join(' || ')})`);

function typed(name, value) {
  const [field, text] = [typedField(name), typedValue(value)];
  return field === null || text === null ? null : `${field}:=${text}`;
}

/** An element of a list is one of the values that `:` finds. */
function typedPath(path, value) {
  const isElement = typeof path.at(-1) === 'number';
  const name = fieldName(isElement ? path.slice(0, -1) : path);
  if (name === null || !isElement) return name === null ? null : typed(name, value);
  const [field, text] = [typedField(name), typedValue(value)];
  return field === null || text === null || value === '' ? null : `${field}:${text}`;
}

/** The name behind `_exists_:` has no backticks. */
function typedExistence(name) {
  const field = typedField(name);
  if (field === null) return null;
  return field.startsWith('`') ? `${field}:*` : `_exists_:${field}`;
}
