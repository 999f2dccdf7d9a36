import { shortName } from './fields.js';
import { percent } from './format.js';

/** The fields of the view as the list at the left shows them. */

const LETTERS = { number: '#', string: 'a', boolean: '?', null: '0', object: '{}', list: '[]' };

/** The kind that most events have there; null counts where there is nothing else. */
export function kindOfField({ kinds }) {
  const [most] = Object.entries(kinds).sort(([one, a], [other, b]) => (one === 'null') - (other === 'null') || b - a).filter(([, events]) => events > 0);
  return most?.[0] ?? 'null';
}

/** All kinds of its values, the most frequent first, with the shares of the others: `number, string 2%`. */
export function kindsText({ kinds, events }) {
  const found = Object.entries(kinds).filter(([, of]) => of > 0).sort(([, a], [, b]) => b - a);
  return found.map(([kind, of], i) => (i === 0 || events === 0 ? kind : `${kind} ${percent(Math.min(1, of / events))}`)).join(', ');
}

export const letterOf = (kind) => LETTERS[kind] ?? '·';

/**
 * @param answer of /fields
 * @param {string} wanted a part of names, or empty
 * @returns {{name: string, short: string, kind: string, share: number, events: number, field: object}[]} objects left out, since their
 *     members are there, but for those without any
 */
export function listedFields({ fields, events }, wanted) {
  const text = wanted.trim().toLowerCase();
  return fields
    .filter(({ field }) => shortName(field).toLowerCase().includes(text))
    .filter((field) => kindOfField(field) !== 'object' || !fields.some((other) => other.field.startsWith(`${field.field}.`)))
    .map((field) => ({ name: field.field, short: shortName(field.field), kind: kindOfField(field), share: events === 0 ? 0 : Math.min(1, field.events / events), events: field.events, field }));
}
