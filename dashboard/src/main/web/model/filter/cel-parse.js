import { tokensOf } from './cel-tokens.js';

/**
 * Reads a CEL expression as a tree, as far as the page needs one: to tell it from simple words, to see which names it
 * has, and where it breaks off. The server's own parser decides.
 *
 * Each node has `kind`, `from` and `to`: ident {name}, literal {text, token}, select {of, name}, index {of, at}, call
 * {name, of, args}, unary {of}, binary {op, left, right}, choice {parts}, list {items}, map {items}. One in parentheses
 * is `bracketed`.
 */

/** The nesting that the server allows. */
const DEPTH_MAX = 32;

const LEVELS = [['||'], ['&&'], ['==', '!=', '<', '<=', '>', '>=', 'in'], ['+', '-'], ['*', '/', '%']];

/** The first thing that does not fit. `token` is null at the end of the text. */
export class NotCel extends Error {
  constructor(token, wanted, open = null) {
    super(`want ${wanted}`);
    this.token = token;
    this.wanted = wanted;
    /** The bracket that is still open, or null. */
    this.open = open;
  }
}

/** @throws {NotCel} */
export function parseCel(text) {
  const parser = new Parser(text);
  return parser.whole();
}

/** Whether the text is one expression of CEL, with its tree or with what is wrong. */
export function readCel(text) {
  try {
    return { tree: parseCel(text), problem: null };
  } catch (e) {
    if (!(e instanceof NotCel)) throw e;
    return { tree: null, problem: e };
  }
}

class Parser {
  #tokens;
  #at = 0;
  #depth = 0;

  constructor(text) {
    this.#tokens = tokensOf(text);
  }

  whole() {
    const tree = this.#expression();
    if (this.#next) throw new NotCel(this.#next, 'an operator or the end');
    return tree;
  }

  get #next() {
    return this.#tokens[this.#at] ?? null;
  }

  #is(...texts) {
    const token = this.#next;
    return token !== null && (token.kind === 'op' || token.text === 'in') && texts.includes(token.text);
  }

  #take() {
    return this.#tokens[this.#at++];
  }

  #expression() {
    if (++this.#depth > DEPTH_MAX) throw new NotCel(this.#next, 'fewer levels');
    const test = this.#level(0);
    this.#depth--;
    if (!this.#is('?')) return test;
    this.#take();
    const yes = this.#level(0);
    this.#want(':');
    const no = this.#expression();
    return { kind: 'choice', parts: [test, yes, no], from: test.from, to: no.to };
  }

  #level(n) {
    if (n === LEVELS.length) return this.#unary();
    let left = this.#level(n + 1);
    while (this.#is(...LEVELS[n])) {
      const op = this.#take().text;
      const right = this.#level(n + 1);
      left = { kind: 'binary', op, left, right, from: left.from, to: right.to };
    }
    return left;
  }

  #unary() {
    if (!this.#is('!', '-')) return this.#member();
    const { from } = this.#take();
    const of = this.#unary();
    return { kind: 'unary', of, from, to: of.to };
  }

  #member() {
    let node = this.#primary();
    for (;;) {
      if (this.#is('.')) {
        this.#take();
        node = this.#selected(node, this.#name());
      } else if (this.#is('[')) {
        const open = this.#take();
        const at = this.#expression();
        node = { kind: 'index', of: node, at, from: node.from, to: this.#want(']', open).to };
      } else return node;
    }
  }

  #selected(of, { name, from, to }) {
    if (!this.#is('(')) return { kind: 'select', of, name, nameFrom: from, from: of.from, to };
    return this.#call(name, of, from);
  }

  #call(name, of, nameFrom) {
    const { items, to } = this.#items(')');
    return { kind: 'call', name, of, args: items, nameFrom, from: of?.from ?? nameFrom, to };
  }

  #name() {
    const token = this.#next;
    if (token?.kind !== 'ident' && token?.kind !== 'quoted') throw new NotCel(token, 'a name');
    this.#take();
    return { name: token.kind === 'quoted' ? token.text.slice(1, -1) : token.text, from: token.from, to: token.to };
  }

  #primary() {
    const token = this.#next;
    if (token === null) throw new NotCel(null, 'a value');
    if (token.kind === 'string' && !token.ended) throw new NotCel(token, 'a closing quote');
    if (token.kind === 'string' || token.kind === 'number' || ['true', 'false', 'null'].includes(token.text)) {
      this.#take();
      return { kind: 'literal', text: token.text, token, from: token.from, to: token.to };
    }
    if (this.#is('(')) {
      const open = this.#take();
      const inner = this.#expression();
      return { ...inner, bracketed: true, from: token.from, to: this.#want(')', open).to };
    }
    if (this.#is('[')) return { kind: 'list', from: token.from, ...this.#items(']') };
    if (this.#is('{')) return { kind: 'map', from: token.from, ...this.#items('}', true) };
    if (token.kind !== 'ident' || token.text === 'in') throw new NotCel(token, 'a value');
    this.#take();
    if (this.#is('(')) return this.#call(token.text, null, token.from);
    return { kind: 'ident', name: token.text, from: token.from, to: token.to };
  }

  /** What stands between brackets, with commas; of a map both sides of each colon. */
  #items(close, pairs = false) {
    const open = this.#take();
    const items = [];
    while (!this.#is(close)) {
      if (items.length > 0) this.#want(',', open);
      if (this.#is(close)) break;
      items.push(this.#expression());
      if (!pairs) continue;
      this.#want(':', open);
      items.push(this.#expression());
    }
    return { items, to: this.#take().to };
  }

  #want(text, open = null) {
    if (!this.#is(text)) throw new NotCel(this.#next, text, open);
    return this.#take();
  }
}

/** Macros whose first argument names a variable for the others. */
const BINDING = new Set(['all', 'exists', 'exists_one', 'map', 'filter']);

/** Calls `see(node, bound)` for each node of a tree; `bound` are the names that loops around it have given. */
export function walk(node, see, bound = new Set()) {
  see(node, bound);
  const { kind } = node;
  if (kind === 'call') {
    const [first] = node.args;
    const binds = node.of !== null && BINDING.has(node.name) && first?.kind === 'ident';
    const within = binds ? new Set([...bound, first.name]) : bound;
    if (node.of) walk(node.of, see, bound);
    for (const arg of binds ? node.args.slice(1) : node.args) walk(arg, see, within);
    return;
  }
  for (const inner of partsOf(node)) walk(inner, see, bound);
}

function partsOf(node) {
  switch (node.kind) {
    case 'select':
    case 'unary':
      return [node.of];
    case 'index':
      return [node.of, node.at];
    case 'binary':
      return [node.left, node.right];
    case 'choice':
      return node.parts;
    case 'list':
    case 'map':
      return node.items;
    default:
      return [];
  }
}

/** The parts that stand between the outermost `&&`. */
export const conjuncts = (node) =>
  node.kind === 'binary' && node.op === '&&' && !node.bracketed ? [...conjuncts(node.left), ...conjuncts(node.right)] : [node];
