/**
 * The words of a CEL text with their places. It reads what may be half written: an unended string is one that goes on
 * to the end, and what CEL does not know is a token of the kind `other`.
 *
 * Kinds: ident, quoted (a name in backticks), number, string, op, other.
 */

const SPACE = /\s+/y;
const IDENT = /[A-Za-z_][A-Za-z0-9_]*/y;
const NAME_IN_BACKTICKS = /`[^`\n]+`/y;
const NUMBER = /0[xX][0-9a-fA-F]+[uU]?|(?:\d+\.\d+|\.\d+|\d+)(?:[eE][+-]?\d+)?[uU]?/y;
const STRING_START = /[bBrR]{0,2}("""|'''|"|')/y;
const OP = /&&|\|\||[=!<>]=|[-+*/%<>!?:.,()[\]{}]/y;

/** @returns {{kind: string, text: string, from: number, to: number, ended?: boolean}[]} */
export function tokensOf(text) {
  const tokens = [];
  for (let at = 0; at < text.length; ) {
    const space = matchAt(SPACE, text, at);
    if (space !== null) {
      at += space.length;
      continue;
    }
    const token = stringAt(text, at) ?? plainAt(text, at);
    tokens.push(token);
    at = token.to;
  }
  return tokens;
}

function plainAt(text, from) {
  for (const [kind, pattern] of [['ident', IDENT], ['quoted', NAME_IN_BACKTICKS], ['number', NUMBER], ['op', OP]]) {
    const found = matchAt(pattern, text, from);
    if (found !== null) return { kind, text: found, from, to: from + found.length };
  }
  const [other] = Array.from(text.slice(from, from + 2));
  return { kind: 'other', text: other, from, to: from + other.length };
}

/** A string with all its quotes; a raw one (`r"..."`) knows no escapes, a triple one ends with three quotes. */
function stringAt(text, from) {
  const start = matchAt(STRING_START, text, from);
  if (start === null) return null;
  const quotes = start.replace(/^[bBrR]+/, '');
  const prefix = start.slice(0, -quotes.length).toLowerCase();
  for (let i = from + start.length; i < text.length; i++) {
    if (text[i] === '\\' && !prefix.includes('r')) i++;
    else if (text.startsWith(quotes, i)) return { kind: 'string', text: text.slice(from, i + quotes.length), from, to: i + quotes.length, ended: true };
  }
  return { kind: 'string', text: text.slice(from), from, to: text.length, ended: false };
}

function matchAt(pattern, text, at) {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

const ESCAPES = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };
const ESCAPE = /\\(?:[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|([^]))/g;

/** The text that a string literal means; of bytes null. */
export function stringValue(literal) {
  const [, prefix, quotes] = /^([bBrR]{0,2})("""|'''|"|')/.exec(literal);
  if (/b/i.test(prefix)) return null;
  const inner = literal.slice(prefix.length + quotes.length, literal.length - quotes.length);
  if (/r/i.test(prefix)) return inner;
  return inner.replace(ESCAPE, (_, hex, short, long, octal, letter) => {
    if (letter !== undefined) return ESCAPES[letter] ?? letter;
    return String.fromCodePoint(Number.parseInt(hex ?? short ?? long ?? octal, octal === undefined ? 16 : 8));
  });
}
