/**
 * Simple words of the filter box as a tree: `status:500 "time out" -path:/health (level:error OR ms:>500)`.
 *
 * Nodes, each with `from` and `to`: and {items}, or {items}, not {item}, text {text, words}, test {field, op, values,
 * quoted}. `op` is one of `is`, `exists`, `>`, `>=`, `<`, `<=`; of `is` there may be several values.
 */

/**
 * What cannot be read, or cannot be asked for; `from` and `to` are its place, `fix` the whole text as it may be meant,
 * or null.
 */
export class Unclear extends Error {
  constructor(message, { from, to }, fix = null) {
    super(message);
    this.from = from;
    this.to = to;
    this.fix = fix;
  }
}

const FIELD = /([A-Za-z_@$][^\s:()"]*):(?!\/\/)/y;
const COMPARISON = /[<>]=?/y;
const PHRASE = /"((?:\\.|[^"\\])*)("?)/y;

/** Parentheses within others. */
const DEPTH_MAX = 32;

/** @throws {Unclear} */
export function readWords(text) {
  return new Reader(text).whole();
}

/** The text that stands in quotes; it escapes quotes and itself alone, as `contains` searches bytes. */
export const unquoted = (inner) => inner.replace(/\\(["\\])/g, '$1');

export const quotedText = (text) => `"${text.replace(/["\\]/g, '\\$&')}"`;

class Reader {
  #text;
  #at = 0;
  #depth = 0;

  constructor(text) {
    this.#text = text;
  }

  whole() {
    const node = this.#or();
    this.#skip();
    if (this.#at < this.#text.length) throw new Unclear('This parenthesis closes nothing. Put texts that have one in quotes.', { from: this.#at, to: this.#at + 1 });
    return node;
  }

  #or() {
    const items = [this.#and()];
    while (this.#word('OR', items.at(-1))) items.push(this.#and());
    return join('or', items);
  }

  #and() {
    const items = [];
    for (;;) {
      this.#skip();
      if (this.#at >= this.#text.length || this.#text[this.#at] === ')') break;
      const from = this.#at;
      if (this.#word('OR', items.at(-1))) {
        this.#at = from;
        break;
      }
      if (items.length > 0 && this.#word('AND', items.at(-1)) && this.#ends()) throw new Unclear('Something is missing behind this word', { from, to: this.#at });
      items.push(this.#term());
    }
    if (items.length === 0) throw new Unclear(this.#at === 0 ? 'Something is missing before this' : 'Something is missing here', { from: Math.max(0, this.#at - 1), to: Math.max(1, this.#at) });
    return join('and', phrases(items, this.#text));
  }

  #term() {
    const from = this.#at;
    if (this.#text[from] === '-' && /[^\s-]/.test(this.#text[from + 1] ?? ' ')) {
      this.#at++;
      return { kind: 'not', item: this.#term(), from, to: this.#at };
    }
    if (this.#word('NOT', null)) return { kind: 'not', item: (this.#skip(), this.#term()), from, to: this.#at };
    if (this.#text[from] === '(') return this.#group();
    const field = this.#field();
    if (field !== null) return this.#test(field, from);
    if (this.#text[from] === '"') return { kind: 'text', text: this.#phrase(), words: false, from, to: this.#at };
    const word = this.#bare();
    if (word === '') throw new Unclear('Something is missing here', { from: Math.max(0, from - 1), to: Math.max(1, from) });
    return { kind: 'text', text: word, words: true, from, to: this.#at };
  }

  #group() {
    const from = this.#at++;
    if (++this.#depth > DEPTH_MAX) throw new Unclear('There are too many parentheses in one another', { from, to: from + 1 });
    const inner = this.#or();
    this.#skip();
    if (this.#text[this.#at] !== ')') throw new Unclear('This parenthesis is not closed', { from, to: from + 1 }, `${this.#text})`);
    this.#at++;
    this.#depth--;
    return { ...inner, grouped: true, from, to: this.#at };
  }

  /** The name before a colon; names with blanks may stand in quotes. */
  #field() {
    const from = this.#at;
    FIELD.lastIndex = from;
    const plain = FIELD.exec(this.#text);
    if (plain) {
      this.#at = FIELD.lastIndex;
      return plain[1];
    }
    PHRASE.lastIndex = from;
    const quoted = PHRASE.exec(this.#text);
    if (!quoted?.[2] || this.#text[PHRASE.lastIndex] !== ':') return null;
    this.#at = PHRASE.lastIndex + 1;
    return unquoted(quoted[1]);
  }

  #test(field, from) {
    COMPARISON.lastIndex = this.#at;
    const op = COMPARISON.exec(this.#text)?.[0] ?? 'is';
    if (op !== 'is') this.#at += op.length;
    if (op === 'is' && this.#text[this.#at] === '(') return { kind: 'test', field, op, values: this.#several(), from, to: this.#at };
    const value = this.#value();
    if (value === null) throw new Unclear(`A value is missing behind ${field}:`, { from, to: this.#at });
    const test = { kind: 'test', field, op, values: [value], from, to: this.#at };
    return op === 'is' && value.text === '*' && !value.quoted ? { ...test, op: 'exists', values: [] } : test;
  }

  /** `(500 OR 503)`; the word between may be left out. */
  #several() {
    const from = this.#at++;
    const values = [];
    for (;;) {
      this.#skip();
      if (this.#at >= this.#text.length) throw new Unclear('This parenthesis is not closed', { from, to: from + 1 }, `${this.#text})`);
      if (this.#text[this.#at] === ')') break;
      const value = this.#value();
      if (value.quoted || !/^or$/i.test(value.text)) values.push(value);
    }
    this.#at++;
    if (values.length === 0) throw new Unclear('There is no value between these parentheses', { from, to: this.#at });
    return values;
  }

  #value() {
    const from = this.#at;
    if (this.#text[from] === '"') return { text: this.#phrase(), quoted: true };
    const text = this.#bare();
    return text === '' ? null : { text, quoted: false };
  }

  #phrase() {
    PHRASE.lastIndex = this.#at;
    const from = this.#at;
    const [, inner, end] = PHRASE.exec(this.#text);
    this.#at = PHRASE.lastIndex;
    if (end === '') throw new Unclear('This quote is not closed', { from, to: from + 1 }, `${this.#text}"`);
    return unquoted(inner);
  }

  /** To the next blank, or to a parenthesis that was not opened in the word. */
  #bare() {
    const from = this.#at;
    let open = 0;
    for (; this.#at < this.#text.length; this.#at++) {
      const c = this.#text[this.#at];
      if (/\s/.test(c) || (c === ')' && --open < 0)) break;
      if (c === '(') open++;
    }
    return this.#text.slice(from, this.#at);
  }

  /**
   * Reads a word that joins: in capitals always, otherwise beside a test of a field, since it may be one of the words
   * of a text.
   *
   * @param before the node before it, or null
   */
  #word(word, before) {
    this.#skip();
    const from = this.#at;
    const found = new RegExp(`${word}(?=[\\s(]|$)`, 'iy');
    found.lastIndex = from;
    const text = found.exec(this.#text)?.[0];
    if (text === undefined) return false;
    this.#at = from + text.length;
    if (text === word || isTest(before)) return true;
    this.#skip();
    const behind = this.#at;
    const field = this.#field();
    this.#at = field === null ? from : behind;
    return field !== null;
  }

  #ends() {
    this.#skip();
    return this.#at >= this.#text.length;
  }

  #skip() {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at++;
  }
}

const isTest = (node) => node?.kind === 'test' || node?.grouped === true || (node?.kind === 'not' && isTest(node.item));

const join = (kind, items) => (items.length === 1 ? items[0] : { kind, items, from: items[0].from, to: items.at(-1).to });

/** Words side by side are one text. */
function phrases(items, text) {
  const joined = [];
  for (const item of items) {
    const last = joined.at(-1);
    if (last?.words && item.words) joined[joined.length - 1] = { ...last, text: text.slice(last.from, item.to), to: item.to };
    else joined.push(item);
  }
  return joined;
}
