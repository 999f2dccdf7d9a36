import { access, having } from './cel.js';
import { kindOf } from '../json-preview.js';

/** Filters to begin with: made from an event of the view where there is one, so that they find something. */

const MADE_UP = { path: '/api/cart', status: 500, ms: 12.5, user: { plan: 'free' } };

/** Fields that the page filters by in other ways. */
const CHOSEN_ELSEWHERE = new Set(['type', 'time', 'id', 'specversion']);

/** Longer texts say little as an example. */
const TEXT_MAX = 40;

/**
 * @param data a payload of the view, or undefined
 * @returns {{where: string, says: string}[]}
 */
export function examplesOf(data) {
  const leaves = leavesOf(kindOf(data) === 'object' ? data : MADE_UP).filter(({ path }) => !CHOSEN_ELSEWHERE.has(path.at(-1)));
  const first = (kind) => leaves.find(({ value }) => kindOf(value) === kind);
  const examples = [];
  const text = first('string');
  const number = first('number');
  if (number) examples.push({ where: `${access('data', number.path)} >= ${number.value}`, says: 'a number of at least' });
  if (text) {
    examples.push({ where: having(text.path, text.value), says: 'exactly this text' });
    examples.push({ where: `${access('data', text.path)}.startsWith(${JSON.stringify(text.value.slice(0, 3))})`, says: 'a text that begins so' });
    examples.push({ where: `${access('data', text.path)} in [${JSON.stringify(text.value)}, "other"]`, says: 'one of several' });
  }
  if (number && text) examples.push({ where: `${having(text.path, text.value)} && ${access('data', number.path)} < ${number.value}`, says: 'both' });
  const word = leaves.find(({ path }) => access('data', path).endsWith(`.${path.at(-1)}`));
  if (word) examples.push({ where: `has(${access('data', word.path)})`, says: 'any value, as long as the field is there' });
  examples.push({ where: 'time.getMinutes() < 30', says: 'the first half of each hour' });
  return examples;
}

function leavesOf(data, path = []) {
  return Object.entries(data).flatMap(([name, value]) => {
    const at = [...path, name];
    if (kindOf(value) === 'object') return at.length < 3 ? leavesOf(value, at) : [];
    const short = kindOf(value) !== 'string' || (value.length > 0 && value.length <= TEXT_MAX && value.isWellFormed());
    return short ? [{ path: at, value }] : [];
  });
}
