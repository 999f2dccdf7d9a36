import { conjuncts, readCel, walk } from './cel-parse.js';
import { OUTSIDE } from './field-reference.js';
import { quotedText, readWords, unquoted, Unclear } from './filter-words.js';
import { wordsToCel } from './words-to-cel.js';

/**
 * What a person writes into the one filter box, as the API's `contains` and `where`: CEL as it is, where a text in
 * quotes between the outermost `&&` is one to be contained, or simple words.
 */

/** @typedef {{contains: string, where: string}} Filter */

const ROOTS = new Set(['data', ...OUTSIDE]);

/** Names that CEL itself has for kinds. */
const KINDS = new Set(['bool', 'bytes', 'double', 'dyn', 'int', 'list', 'map', 'null_type', 'string', 'uint']);

/** `status:>=500`, which has signs of CEL in it. */
const FIELD_TEST = /(^|[\s(])-?[A-Za-z_@$][^\s:()"]*:(?:"(?:\\.|[^"\\])*"?|[^\s"][^\s]*)/g;
const IN_QUOTES = /"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'/g;
const SIGNS = /&&|\|\||[=!<>]=|=[<>]|(^|\s)[<>](\s|$)|\w\s*=\s*[\w"'-]|\bdata\s*[.[]|\bhas\(|\.\w+\(/;

/**
 * @param {string} text
 * @param {Map<string, {kinds: object}>} known the fields of the view by name
 * @returns {{mode: 'empty' | 'cel' | 'words', filter: Filter | null, problem: Unclear | null, tree: object | null}} without a filter
 *     there is a problem; CEL that cannot be read has both, since the server decides
 */
export function meaningOf(text, known = new Map()) {
  const line = oneLine(text);
  if (line === '') return { mode: 'empty', filter: { contains: '', where: '' }, problem: null, tree: null };
  const { tree, problem } = readCel(line);
  return isCel(line, tree) ? ofCel(line, tree, problem, known) : ofWords(line, known);
}

export const oneLine = (text) => text.trim().replace(/\s*\n\s*/g, ' ');

/** A filter as a text for the box that means it. */
export function textOf({ contains, where }) {
  if (contains === '') return where;
  if (where !== '') return `${quotedText(contains)} && ${isLoose(where) ? `(${where})` : where}`;
  const plain = meaningOf(contains);
  return plain.mode === 'words' && plain.filter?.contains === contains && plain.filter.where === '' ? contains : quotedText(contains);
}

/** Whether an expression has something outermost that binds less than `&&`. */
function isLoose(where) {
  const { tree } = readCel(where);
  return tree === null || (!tree.bracketed && (tree.kind === 'choice' || (tree.kind === 'binary' && tree.op === '||')));
}

function isCel(line, tree) {
  const signs = SIGNS.test(line.replace(FIELD_TEST, '$1').replace(IN_QUOTES, '""'));
  if (tree === null) return signs;
  if (tree.kind === 'ident' || tree.kind === 'literal') return line === 'true' || line === 'false';
  return signs || (freeNames(tree).length > 0 && freeNames(tree).every(({ name }) => ROOTS.has(name)));
}

/** The names that stand for something outside of the expression. */
export function freeNames(tree) {
  const names = [];
  walk(tree, (node, bound) => {
    if (node.kind === 'ident' && !bound.has(node.name) && !KINDS.has(node.name)) names.push(node);
  });
  return names;
}

function ofCel(line, tree, problem, known) {
  if (tree === null) return { mode: 'cel', filter: { contains: '', where: line }, problem, tree };
  const parts = conjuncts(tree);
  const texts = parts.filter(isText);
  if (texts.length > 1) return { mode: 'cel', filter: null, problem: new Unclear('Only one text can be searched at a time', texts[1]), tree };
  const said = withData(line, tree, known);
  if (texts.length === 0) return { mode: 'cel', filter: { contains: '', where: said(tree) }, problem: null, tree };
  const where = parts.filter((part) => !isText(part)).map(said).join(' && ');
  return { mode: 'cel', filter: { contains: unquoted(texts[0].text.slice(1, -1)), where }, problem: null, tree };
}

const isText = ({ kind, text, bracketed }) => kind === 'literal' && !bracketed && /^"(?!"")/.test(text);

/** Gives the text of a node, in which fields that were named without `data.` have it. */
function withData(line, tree, known) {
  const bare = freeNames(tree).filter(({ name }) => !ROOTS.has(name) && startsField(name, known));
  return ({ from, to }) =>
    bare.filter((name) => name.from >= from && name.to <= to).toReversed()
      .reduce((text, name) => `${text.slice(0, name.from - from)}data.${text.slice(name.from - from)}`, line.slice(from, to));
}

const startsField = (name, known) => known.has(`data.${name}`) || [...known.keys()].some((field) => field.startsWith(`data.${name}.`));

function ofWords(line, known) {
  try {
    return { mode: 'words', filter: wordsToCel(readWords(line), known), problem: null, tree: null };
  } catch (e) {
    if (!(e instanceof Unclear)) throw e;
    return { mode: 'words', filter: null, problem: e, tree: null };
  }
}
