import { kindOf } from '../json-preview.js';
import { fieldName } from '../fields.js';
import { hasNotValue, hasValue, typedField, typedValue } from './field-clauses.js';

/** Filters to begin with: made from an event of the view where there is one, so that they find something. */

const MADE_UP = { level: 'error', status: 500, ms: 12.5, path: '/api/cart' };

/** Fields that the page filters by in other ways. */
const CHOSEN_ELSEWHERE = new Set(['type', 'time', 'id', 'specversion', 'detected_level']);

/** Longer texts say little as an example. */
const TEXT_MAX = 40;

/** Letters that the example of a beginning has. */
const BEGINNING = 3;

/**
 * @param data a payload of the view, or undefined
 * @returns {{q: string, says: string}[]}
 */
export function examplesOf(data) {
  const leaves = leavesOf(kindOf(data) === 'object' ? data : MADE_UP);
  const first = (kind) => leaves.find(({ value }) => kindOf(value) === kind);
  const examples = [];
  const text = first('string');
  const number = first('number');
  if (number) examples.push({ q: `${number.field}>=${number.value}`, says: 'a number of at least' });
  if (text) {
    examples.push({ q: hasValue(text.name, text.value), says: 'exactly this value' });
    examples.push({ q: hasNotValue(text.name, text.value), says: 'any other, or none' });
    const beginning = text.value.slice(0, BEGINNING);
    if (typedValue(beginning) === beginning) examples.push({ q: `${text.field}:${beginning}*`, says: 'a text that begins so' });
  }
  if (number && text) examples.push({ q: `${hasValue(text.name, text.value)} ${number.field}>=${number.value}`, says: 'both' });
  return examples;
}

/** Values of fields that can be typed. */
function leavesOf(data, path = []) {
  return Object.entries(data).flatMap(([key, value]) => {
    const at = [...path, key];
    if (kindOf(value) === 'object') return at.length < 3 ? leavesOf(value, at) : [];
    const name = fieldName(at);
    const isShort = kindOf(value) !== 'string' || (value.length > 0 && value.length <= TEXT_MAX);
    if (name === null || CHOSEN_ELSEWHERE.has(key) || !isShort || typedValue(value) === null || typedField(name) === null) return [];
    return [{ name, field: typedField(name), value }];
  });
}
