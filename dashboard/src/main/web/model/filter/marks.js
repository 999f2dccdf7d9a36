/**
 * What of an event's text was searched: words anywhere, and values that a field is compared with.
 *
 * @typedef {{text: string, whole: boolean, words: boolean}} Wanted
 * @typedef {{anywhere: Wanted[], fields: Map<string, Wanted[]>}} Marks
 */

/** Stands for all of the payload in the server's answer. */
const ANYWHERE = 'data';

/** Marks of one value: a short text may be in a long one very often. */
const MARKS_MAX = 100;

/**
 * @param {({field: string} & Wanted)[]} marks of the answer of /api/v1/filter
 * @returns {Marks | null} null where there is nothing to mark
 */
export function marksOf(marks) {
  const anywhere = [];
  const fields = new Map();
  for (const { field, text, whole, words } of marks) {
    if (text === '') continue;
    if (field === ANYWHERE) anywhere.push({ text, whole: false, words });
    else fields.set(field, [...(fields.get(field) ?? []), { text, whole, words }]);
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

/** Patterns, the longest text first; words and parts are found in any case, whole values as they are. */
function wantedIn(text, name, { anywhere, fields }) {
  const compared = (fields.get(name) ?? []).filter((one) => !one.whole || text === one.text || text === JSON.stringify(one.text));
  const all = new Map([...anywhere, ...compared].map((one) => [patternOf(one), one.text.length]));
  return [...all].sort(([, a], [, b]) => b - a).map(([pattern]) => pattern);
}

const patternOf = ({ text, whole, words }) => (whole ? escaped(text) : words ? wordsIn(text) : inAnyCase(text));

/** Letters of scripts without blanks between words are words of their own. */
const ALONE = '\\p{Ideographic}\\p{Script=Hiragana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
const OF_WORDS = '\\p{Alphabetic}\\p{Nd}_\\p{M}\\u200c\\u200d';
const OF_RUN = `(?:(?![${ALONE}])[${OF_WORDS}])`;
const WORD = new RegExp(`[${ALONE}]\\p{M}*|${OF_RUN}+`, 'gu');

/** Words one after the other, as the server finds them. A text without a word is found as it stands. */
function wordsIn(text) {
  const words = [...text.matchAll(WORD)];
  if (words.length === 0) return inAnyCase(text);
  const last = words.at(-1);
  const isBeginning = text.endsWith('*') && last.index + last[0].length + 1 === text.length;
  const parts = words.map(([word]) => (isAlone(word) ? inAnyCase(word) : `(?<!${OF_RUN})${inAnyCase(word)}(?!${OF_RUN})`));
  if (isBeginning) parts[parts.length - 1] = parts.at(-1).replace(`(?!${OF_RUN})`, '');
  return parts.join(`[^${OF_WORDS}]*`);
}

const isAlone = (word) => new RegExp(`^[${ALONE}]`, 'u').test(word);

const escaped = (text) => text.replace(/[\\^$.|?*+()[\]{}/]/g, '\\$&');

const inAnyCase = (text) => [...text].map((c) => [...new Set([c, c.toLowerCase(), c.toUpperCase()])].map(escaped).join('|')).map((cases) => `(?:${cases})`).join('');
