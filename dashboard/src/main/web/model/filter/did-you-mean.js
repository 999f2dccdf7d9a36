import { METHODS, FUNCTIONS } from './cel-functions.js';
import { readCel, walk } from './cel-parse.js';
import { tokensOf } from './cel-tokens.js';
import { OUTSIDE, reference } from './field-reference.js';
import { freeNames, meaningOf } from './filter-language.js';
import { fieldsNamed, isKnown, nearestFields, nearestOf, withField } from './named-fields.js';

/**
 * What to write in place of an expression that cannot be read, or that names what is not there.
 *
 * @typedef {{says: string, from: number, to: number, fix: string | null}} Advice `fix`: the whole text, mended
 */

const ROOTS = ['data', ...OUTSIDE];
const COMPARISONS = new Set(['==', '!=', '<', '<=', '>', '>=']);

/** Words of other languages, and what CEL has for them. */
const OTHERWISE = new Map(Object.entries({ and: '&&', or: '||', is: '==', '=': '==', '<>': '!=', '=<': '<=', '=>': '>=', '&': '&&', '|': '||' }));
const METHOD_FOR = new Map(Object.entries({ like: 'contains', contains: 'contains', matches: 'matches', startswith: 'startsWith', endswith: 'endsWith' }));

/**
 * @param {string} where
 * @param {string[]} known names of the fields of the view
 * @returns {Advice | null} null where the page knows no better than the server
 */
export function didYouMean(where, known) {
  const { tree, problem } = readCel(where);
  return tree === null ? ofSyntax(where, problem) : ofNames(where, tree, known);
}

/**
 * A field that no event of the view has, with the one that was meant; null where all are there or none is near.
 *
 * @param {string[]} known names of all fields
 * @returns {{says: string, name: string, nearest: string, fix: string} | null} `fix`: the expression with the other field
 */
export function fieldMeant(where, known) {
  const missing = known.length === 0 ? undefined : fieldsNamed(where).find(({ name }) => !isKnown(name, known));
  const [nearest] = missing ? nearestFields(missing.name, known) : [];
  return nearest === undefined ? null : { says: `No event here has ${missing.name}. Did you mean ${nearest}?`, name: missing.name, nearest, fix: withField(where, missing, nearest) };
}

function ofSyntax(where, { token, open }) {
  const tokens = tokensOf(where);
  const at = token === null ? tokens.length : tokens.findIndex(({ from }) => from === token.from);
  const end = where.length;
  return (
    otherwise(where, tokens, at) ??
    unquotedText(where, tokens, at) ??
    (token === null ? null : ofToken(where, tokens, at)) ??
    (open ? { says: `${open.text} is not closed`, from: open.from, to: open.to, fix: token === null ? where + { '(': ')', '[': ']', '{': '}' }[open.text] : null } : null) ??
    (token === null ? { says: 'Something is missing at the end', from: Math.max(0, end - 1), to: end, fix: null } : null)
  );
}

/** A sign or a word of another language, here or just before: `not` is a name until something follows. */
function otherwise(where, tokens, at) {
  for (const i of [at - 1, at]) {
    const [one, two] = [tokens[i], tokens[i + 1]];
    if (!one) continue;
    const both = two && two.from === one.to ? one.text + two.text : null;
    if (one.text === 'not' || one.text === 'NOT') return negation(where, tokens, i);
    if (one.text === '==' && two?.text === '=') return { ...replaced(where, one.from, two.to, '=='), says: 'Use == to compare' };
    if (OTHERWISE.has(both)) return { ...replaced(where, one.from, two.to, OTHERWISE.get(both)), says: `Write ${OTHERWISE.get(both)} for ${both}` };
    const instead = OTHERWISE.get(one.text.toLowerCase());
    if (!instead || !['ident', 'other'].includes(one.kind)) continue;
    const says = one.text === '=' ? 'Use == to compare' : `Write ${instead} for ${one.text}`;
    return { ...replaced(where, one.from, one.to, instead), says };
  }
  return null;
}

/** `not` binds less than `!`: what it negates goes on to the next `&&` or `||`. */
function negation(where, tokens, i) {
  const end = tokens.findIndex(({ text }, j) => j > i && ['&&', '||'].includes(text));
  const to = (tokens[end - 1] ?? tokens.at(-1)).to;
  const inner = where.slice(tokens[i].to, to).trim();
  return { says: `Write ! for ${tokens[i].text}`, from: tokens[i].from, to: tokens[i].to, fix: inner === '' ? null : `${where.slice(0, tokens[i].from)}!(${inner})${where.slice(to)}` };
}

const replaced = (where, from, to, text) => ({ from, to, fix: where.slice(0, from) + text + where.slice(to) });

/** `data.level == disk full` */
function unquotedText(where, tokens, at) {
  let first = at - 1;
  while (first >= 0 && ['ident', 'number', 'other'].includes(tokens[first].kind)) first--;
  if (!COMPARISONS.has(tokens[first]?.text) || first === at - 1 || tokens[at]?.kind === 'op' && !['-', '/', ':', '.'].includes(tokens[at].text)) return null;
  if (tokens[at] === undefined || tokens[at].text === ';') return null;
  const end = tokens.findIndex(({ text }, i) => i >= at && ['&&', '||', ')', ']'].includes(text));
  const { from } = tokens[first + 1];
  const { to } = tokens[(end < 0 ? tokens.length : end) - 1];
  return quoted(where, from, to);
}

function quoted(where, from, to) {
  const text = JSON.stringify(where.slice(from, to));
  return { ...replaced(where, from, to, text), says: `A text stands in quotes: ${text}` };
}

function ofToken(where, tokens, at) {
  const token = tokens[at];
  const before = tokens[at - 1];
  if (token.kind === 'string' && !token.ended) return { says: 'This quote is not closed', from: token.from, to: token.from + 1, fix: where + token.text.replace(/^[bBrR]+/, '')[0] };
  if ([')', ']', '}'].includes(token.text)) return { says: COMPARISONS.has(before?.text) ? 'A value is missing before this' : `${token.text} closes nothing`, from: token.from, to: token.to, fix: null };
  if (token.text === ':') return ofWords(where) ?? { says: 'Simple words and expressions do not mix; write data.field == "value"', from: before?.from ?? token.from, to: token.to, fix: null };
  const method = METHOD_FOR.get(token.text.toLowerCase());
  if (method) return { says: `Write .${method}("…") behind the field`, from: token.from, to: token.to, fix: null };
  if (token.text === ';') return { ...replaced(where, token.from, token.to, ''), says: 'Leave ; out' };
  if (before && ['&&', '||'].includes(token.text)) return { says: `Something is missing before ${token.text}`, from: token.from, to: token.to, fix: null };
  return null;
}

/** Simple words in the place of an expression, as in an address written by hand. */
function ofWords(where) {
  const { mode, filter, problem } = meaningOf(where);
  if (mode !== 'words' || problem !== null || filter.where === '' || filter.contains !== '') return null;
  return { says: `As an expression, write ${filter.where}`, from: 0, to: where.length, fix: filter.where };
}

function ofNames(where, tree, known) {
  return wrongName(where, tree, known) ?? wrongFunction(where, tree);
}

function wrongName(where, tree, known) {
  const name = freeNames(tree).find((node) => !ROOTS.includes(node.name));
  if (!name) return null;
  if (isCompared(tree, name)) return quoted(where, name.from, name.to);
  const [root] = nearestOf(name.name, ROOTS);
  const [field] = nearestFields(`data.${name.name}`, known);
  const meant = isOwner(tree, name) && root ? root : field ? reference(field) : root;
  if (!meant) return { says: `There is no ${name.name}; a field of the payload is data.${name.name}`, ...replaced(where, name.from, name.to, `data.${name.name}`) };
  return { says: `There is no ${name.name}. Did you mean ${meant}?`, ...replaced(where, name.from, name.to, meant) };
}

/** Whether a name is on the right of a comparison, where a text without quotes stands. */
function isCompared(tree, name) {
  let found = false;
  walk(tree, (node) => {
    if (node.kind === 'binary' && COMPARISONS.has(node.op) && node.right === name) found = true;
  });
  return found;
}

/** Whether members of it are named. */
function isOwner(tree, name) {
  let found = false;
  walk(tree, (node) => {
    if ((node.kind === 'select' || node.kind === 'index') && node.of === name) found = true;
  });
  return found;
}

function wrongFunction(where, tree) {
  let advice = null;
  walk(tree, (node) => {
    if (advice || node.kind !== 'call') return;
    const names = [...(node.of ? METHODS : FUNCTIONS).keys()];
    if (names.includes(node.name)) return;
    const [nearest] = nearestOf(node.name, names);
    const place = { from: node.nameFrom, to: node.nameFrom + node.name.length };
    advice = nearest
      ? { says: `There is no ${node.name}. Did you mean ${nearest}?`, ...replaced(where, place.from, place.to, nearest) }
      : { says: `There is no function ${node.name}`, ...place, fix: null };
  });
  return advice;
}

const OVERLOAD = /no matching overload for '([^']+)' applied to '\(([^)]*)\)'/;
const SIGNED = /^_?([^_a-z]+)_?$/;
const KINDS = { bool: 'true or false', int: 'a number', double: 'a number', uint: 'a number', string: 'a text', 'google.protobuf.Timestamp': 'a time', null_type: 'null' };

/** What the server's own reason means, where it is in the words of a parser; else as it was. */
export function plainReason(reason) {
  const overload = OVERLOAD.exec(reason);
  if (overload) {
    const sign = SIGNED.exec(overload[1])?.[1] ?? overload[1];
    const kinds = overload[2].split(', ').map((kind) => KINDS[kind] ?? kind);
    return `${sign} does not go with ${kinds.join(' and ')}`;
  }
  return reason.replace(/ expecting [^]*$/, '').replace(/^token recognition error at: /, 'cannot read ').replace(/^(?:mismatched|extraneous) input/, 'did not expect').replace("'<EOF>'", 'the end');
}
