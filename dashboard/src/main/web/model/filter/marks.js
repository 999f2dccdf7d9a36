/**
 * What of an event's text was searched: words anywhere, and values that a field is compared with.
 *
 * @typedef {{anywhere: string[], fields: Map<string, {text: string, whole: boolean}[]>}} Marks
 */

/** Stands for all of the payload in the server's answer. */
const ANYWHERE = 'data';

/** Marks of one value: a short text may be in a long one very often. */
const MARKS_MAX = 100;

/**
 * @param {{field: string, text: string, whole: boolean}[]} marks of the answer of /api/v1/filter
 * @returns {Marks | null} null where there is nothing to mark
 */
export function marksOf(marks) {
  const anywhere = [];
  const fields = new Map();
  for (const { field, text, whole } of marks) {
    if (text === '') continue;
    if (field === ANYWHERE) anywhere.push(text);
    else fields.set(field, [...(fields.get(field) ?? []), { text, whole }]);
  }
  return anywhere.length === 0 && fields.size === 0 ? null : { anywhere, fields };
}

/**
 * A value in pieces, those at odd places marked.
 *
 * @param {string} text as it is shown
 * @param {string | null} name of its field
 * @param {Marks | null} marks
 * @returns {string[]}
 */
export function piecesOf(text, name, marks) {
  const wanted = marks === null ? [] : wantedIn(text, name, marks);
  if (wanted.length === 0) return [text];
  const pieces = [];
  const pattern = new RegExp(wanted.join('|'), 'gu');
  let from = 0;
  for (const { 0: found, index } of text.matchAll(pattern)) {
    if (pieces.length >= 2 * MARKS_MAX) break;
    pieces.push(text.slice(from, index), found);
    from = index + found.length;
  }
  return [...pieces, text.slice(from)];
}

/** Patterns, the longest text first; words are found in any case, whole values as they are. */
function wantedIn(text, name, { anywhere, fields }) {
  const compared = (fields.get(name) ?? []).filter((one) => !one.whole || text === one.text || text === JSON.stringify(one.text));
  const inAny = new Set([...anywhere, ...compared.filter(({ whole }) => !whole).map((one) => one.text)]);
  const asTheyAre = new Set(compared.filter(({ whole }) => whole).map((one) => one.text));
  const all = [...asTheyAre].map((one) => [one, escaped(one)]).concat([...inAny].map((one) => [one, inAnyCase(one)]));
  return all.sort(([a], [b]) => b.length - a.length).map(([, pattern]) => pattern);
}

const escaped = (text) => text.replace(/[\\^$.|?*+()[\]{}/]/g, '\\$&');

const inAnyCase = (text) => [...text].map((c) => [...new Set([c, c.toLowerCase(), c.toUpperCase()])].map(escaped).join('|')).map((cases) => `(?:${cases})`).join('');
