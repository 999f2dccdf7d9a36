import { readCel, walk } from './cel-parse.js';
import { stringValue } from './cel-tokens.js';

/**
 * What of an event's text was searched: the text itself, and values that a field is compared with. Only what is plain
 * to see: a text that goes over the end of a value, and values under `!`, are not marked.
 *
 * @typedef {{text: string, icase: boolean, fields: Map<string, {text: string, whole: boolean}[]>}} Marks
 */

const TESTS = new Set(['startsWith', 'endsWith', 'contains']);

/** Marks of one value: a short text may be in a long one very often. */
const MARKS_MAX = 100;

/** @returns {Marks | null} null where there is nothing to mark */
export function marksOf({ contains, icase, where }) {
  const fields = where === '' ? new Map() : comparedIn(where);
  return contains === '' && fields.size === 0 ? null : { text: contains, icase, fields };
}

function comparedIn(where) {
  const { tree } = readCel(where);
  const fields = new Map();
  const add = (name, literal, whole) => {
    const text = textOf(literal);
    if (name !== null && text) fields.set(name, [...(fields.get(name) ?? []), { text, whole }]);
  };
  const negated = new Set();
  if (tree) {
    walk(tree, (node) => {
      if (node.kind === 'unary' || negated.has(node)) return negate(node, negated);
      if (node.kind === 'binary' && node.op === '==') {
        add(nameOf(node.left), node.right, true);
        add(nameOf(node.right), node.left, true);
      }
      if (node.kind === 'binary' && node.op === 'in' && node.right.kind === 'list') node.right.items.forEach((item) => add(nameOf(node.left), item, true));
      if (node.kind === 'call' && TESTS.has(node.name) && node.of && node.args.length === 1) add(nameOf(node.of), node.args[0], false);
      return undefined;
    });
  }
  return fields;
}

const negate = (node, negated) => {
  for (const inner of [node.of, node.left, node.right, ...(node.parts ?? []), ...(node.args ?? [])]) if (inner) negated.add(inner);
};

/** `data.a.b` of a path, `type`, or null. */
function nameOf(node) {
  if (node.kind === 'ident') return node.name === 'data' || node.name === 'type' ? node.name : null;
  if (node.kind === 'select') return within(node.of, node.name);
  return node.kind === 'index' && node.at.kind === 'literal' && node.at.token.kind === 'string' ? within(node.of, stringValue(node.at.text)) : null;
}

function within(of, name) {
  const owner = nameOf(of);
  return owner === null || owner === 'type' ? null : `${owner}.${name}`;
}

function textOf(node) {
  if (node.kind !== 'literal') return null;
  return node.token.kind === 'string' ? stringValue(node.text) : node.token.kind === 'number' ? node.text : null;
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

/** Patterns, the longest text first; only the searched text may be in another case, as CEL heeds it. */
function wantedIn(text, name, { text: searched, icase, fields }) {
  const compared = (fields.get(name) ?? []).filter((one) => !one.whole || text === one.text || text === JSON.stringify(one.text)).map((one) => one.text);
  const texts = [...new Set([...compared, searched])].filter((one) => one !== '').sort((a, b) => b.length - a.length);
  return texts.map((one) => (icase && one === searched ? inAnyCase(one) : escaped(one)));
}

const escaped = (text) => text.replace(/[\\^$.|?*+()[\]{}/]/g, '\\$&');

const inAnyCase = (text) => [...text].map((c) => [...new Set([c, c.toLowerCase(), c.toUpperCase()])].map(escaped).join('|')).map((cases) => `(?:${cases})`).join('');
