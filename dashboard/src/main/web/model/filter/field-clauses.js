import { literalOf } from './cel.js';
import { canRefer, isNotThere, isThere, OUTSIDE, reference } from './field-reference.js';

/** Clauses of `where` about a field by its name in the API: what a click in the list of fields means. */

/** Whether a clause can say this; lone surrogates and numbers beyond a double have no literal. */
export const canSay = (name, value) => (OUTSIDE.includes(name) || canRefer(name)) && literalOf(value) !== null;

export const hasValue = (name, value) => `${reference(name)} == ${literalOf(value)}`;

/** Events without the field fit too. */
export function hasNotValue(name, value) {
  const absent = isNotThere(name);
  const other = `${reference(name)} != ${literalOf(value)}`;
  return absent.length === 0 ? other : `(${[...absent, other].join(' || ')})`;
}

export const exists = (name) => isThere(name);

export function existsNot(name) {
  const absent = isNotThere(name);
  return absent.length === 1 ? absent[0] : `(${absent.join(' || ')})`;
}
