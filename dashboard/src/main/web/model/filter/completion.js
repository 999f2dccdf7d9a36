import { literalOf } from './cel.js';
import { FUNCTIONS, METHODS } from './cel-functions.js';
import { tokensOf } from './cel-tokens.js';
import { canRefer, OUTSIDE, reference, resolve } from './field-reference.js';
import { shortName } from '../fields.js';
import { meaningOf } from './filter-language.js';
import { quotedText } from './filter-words.js';
import { kindOf } from '../json-preview.js';

/**
 * What may come next in the filter box: fields, values, types, functions, operators.
 *
 * @typedef {{text: string, says: string, kind: 'field' | 'value' | 'type' | 'function' | 'operator'}} Proposal
 * @typedef {{from: number, to: number, proposals: Proposal[], valuesOf: string | null}} Completion `from` and `to`: what a proposal
 *     replaces; `valuesOf`: the field whose values are wanted
 */

/** As many as are read at a glance. */
const PROPOSALS_MAX = 12;

const WORD_TEST = /(?:^|[\s(])-?((?:[A-Za-z_@$][^\s:()"]*)|"(?:\\.|[^"\\])*"):((?:[<>]=?)?)("(?:\\.|[^"\\])*|[^\s()"]*)$/;
const WORD = /(?:^|[\s(!])-?([A-Za-z_@$][\w.@$-]*)$/;
const PATH = /(?<![\w.`"])data\.([^\s()[\]"'!=<>&|,]*)$/;
const METHOD = /(?:[\w\])`"])\.([A-Za-z_]*)$/;
const COMPARED = /(?<![\w.])((?:data(?:\.(?:\w+|`[^`]+`))+)|type|(?:[A-Za-z_][\w.]*))\s*(?:==|!=|\bin\s*\[(?:[^\]]*,)?)\s*("(?:\\.|[^"\\])*|[\w.-]*)$/;
const BEHIND_FIELD = /(?<![\w.])(data(?:\.(?:\w+|`[^`]+`))+|type|id|time)\s+([=!<>i]?)$/;

const OPERATORS = [['==', 'is'], ['!=', 'is not'], ['>=', 'at least'], ['>', 'more than'], ['<=', 'at most'], ['<', 'less than'], ['in [', 'one of several']];

/**
 * @param {string} text of the box
 * @param {number} cursor
 * @param {{fields: Map<string, object>, types: {type: string, count: number}[], values: Map<string, unknown[]>}} known `fields` as in the
 *     answer of `/fields`, by name; `values`: further values of a field, where they were asked for
 * @returns {Completion | null}
 */
export function completionAt(text, cursor, known) {
  const before = text.slice(0, cursor);
  const cel = /&&|\|\||[=!]=|\s[<>]=?\s|\bdata\.|\bhas\(|\.\w+\(/.test(before) && meaningOf(text, known.fields).mode !== 'words';
  const found = wordValue(before, known) ?? celValue(before, known) ?? (inString(before) ? null : (path(before, known, cel) ?? method(before) ?? operator(before) ?? word(before, known, cel)));
  if (!found) return null;
  const proposals = found.proposals.filter((p) => p.text !== before.slice(found.from).trimEnd()).slice(0, PROPOSALS_MAX);
  return proposals.length === 0 && !found.valuesOf ? null : { to: cursor, valuesOf: null, ...found, proposals };
}

const inString = (before) => tokensOf(before).at(-1)?.ended === false;

/** `status:50` */
function wordValue(before, { fields, types, values }) {
  const [, field, op, typed] = WORD_TEST.exec(before) ?? [];
  if (field === undefined || typed.startsWith('//')) return null;
  const name = resolve(field.replace(/^"|"$/g, ''), fields);
  const from = before.length - typed.length;
  const plain = typed.replace(/^"/, '').replace(/\\(["\\])/g, '$1');
  const exists = op === '' && typed === '' ? [{ text: '*', says: 'the field is there', kind: 'operator' }] : [];
  const proposals = valuesOf(name, { fields, types, values })
    .filter((value) => canWord(value) && isBegun(plain, value))
    .map((value) => ({ text: asWord(value), says: '', kind: name === 'type' ? 'type' : 'value' }));
  return { from, proposals: [...proposals, ...exists], valuesOf: name };
}

/** Whether simple words can say it: the box has one line. */
export const canWord = (value) => !/[\n\r]/.test(String(value));

/** A value as simple words have it. */
export function asWord(value) {
  if (typeof value !== 'string') return String(value);
  const plain = /^[^\s()"*<>:-][^\s()"*]*$/.test(value) && !/^(-?\d[\d.eE+-]*|true|false|null|or)$/i.test(value);
  return plain ? value : quotedText(value);
}

/** `data.level == "wa` */
function celValue(before, { fields, types, values }) {
  const [, place, typed] = COMPARED.exec(before) ?? [];
  if (place === undefined) return null;
  const name = resolve(place.replaceAll('`', ''), fields);
  const plain = typed.replace(/^"/, '').replace(/\\(["\\])/g, '$1');
  const proposals = valuesOf(name, { fields, types, values })
    .filter((value) => literalOf(value) !== null && isBegun(plain, value))
    .map((value) => ({ text: literalOf(value), says: '', kind: name === 'type' ? 'type' : 'value' }));
  return { from: before.length - typed.length, proposals, valuesOf: name };
}

function valuesOf(name, { fields, types, values }) {
  if (name === 'type') return types.map(({ type }) => type);
  return values.get(name) ?? (fields.get(name)?.values ?? []).map(({ value }) => value);
}

/** Of texts any part, of others the beginning. */
const isBegun = (typed, value) => (kindOf(value) === 'string' ? value.toLowerCase().includes(typed.toLowerCase()) : String(value).startsWith(typed));

/** `data.us` */
function path(before, { fields }) {
  const [whole, typed] = PATH.exec(before) ?? [];
  if (whole === undefined) return null;
  const named = typed.replaceAll('`', '').toLowerCase();
  const proposals = fieldsFor(named, fields).map((field) => ({ text: reference(field.field), says: saysOf(field), kind: 'field' }));
  return proposals.length === 0 ? null : { from: before.length - whole.length, proposals };
}

/** `data.path.st` */
function method(before) {
  const [, typed] = METHOD.exec(before) ?? [];
  if (typed === undefined || !/\bdata\.|\btime\.|\btype\.|\bid\./.test(before)) return null;
  const proposals = [...METHODS].filter(([name]) => name.toLowerCase().startsWith(typed.toLowerCase())).map(([name, says]) => ({ text: `${name}(`, says, kind: 'function' }));
  return proposals.length === 0 ? null : { from: before.length - typed.length, proposals };
}

function operator(before) {
  const [, , typed] = BEHIND_FIELD.exec(before) ?? [];
  if (typed === undefined) return null;
  const proposals = OPERATORS.filter(([text]) => text.startsWith(typed)).map(([text, says]) => ({ text: text.endsWith('[') ? text : `${text} `, says, kind: 'operator' }));
  return { from: before.length - typed.length, proposals };
}

/** The beginning of a name, at the start or behind a blank. */
function word(before, { fields, types }, cel) {
  const [, typed] = WORD.exec(before) ?? (before === '' || /[\s(]$/.test(before) ? ['', ''] : []);
  if (typed === undefined) return null;
  const named = typed.toLowerCase();
  const behind = cel ? ' ' : ':';
  const ofFields = fieldsFor(named, fields).map((field) => ({ text: cel ? `${reference(field.field)} ` : `${wordName(field.field)}:`, says: saysOf(field), kind: 'field' }));
  const outside = OUTSIDE.filter((name) => name.startsWith(named) && (typed !== '' || name === 'type')).map((name) => ({ text: name + behind, says: `the event's ${name}`, kind: 'field' }));
  const ofTypes = typed === '' ? [] : types.filter(({ type }) => type.toLowerCase().includes(named))
    .map(({ type }) => ({ text: cel ? `type == ${JSON.stringify(type)}` : `type:${asWord(type)}`, says: 'a type', kind: 'type' }));
  const functions = cel && typed !== '' ? [...FUNCTIONS].filter(([name]) => name.startsWith(named)).map(([name, says]) => ({ text: `${name}(`, says, kind: 'function' })) : [];
  return { from: before.length - typed.length, proposals: [...ofFields.slice(0, PROPOSALS_MAX - 4), ...outside, ...ofTypes.slice(0, 4), ...functions] };
}

/** A name as simple words have it: `data.` only where the name alone would mean something else. */
function wordName(name) {
  const short = shortName(name);
  const plain = OUTSIDE.includes(short) ? name : short;
  return /^[A-Za-z_@$][^\s:()"]*$/.test(plain) ? plain : quotedText(plain);
}

/** Those that begin so, before those with the word in them. */
function fieldsFor(typed, fields) {
  const all = [...fields.values()].filter(({ field }) => canRefer(field) && shortName(field).toLowerCase().includes(typed));
  const begins = ({ field }) => shortName(field).toLowerCase().startsWith(typed);
  return [...all.filter(begins), ...all.filter((field) => !begins(field))];
}

function saysOf({ kinds }) {
  const most = Object.entries(kinds).sort((a, b) => b[1] - a[1])[0];
  return most?.[1] > 0 ? most[0] : '';
}

/** The text after a proposal is taken, and where the cursor then is. */
export function completed(text, { from, to }, proposal) {
  const before = text.slice(0, from) + proposal.text;
  return { text: before + restBehind(text.slice(to), proposal), cursor: before.length };
}

/** A name or a value is whole, so the rest of a word behind the cursor goes too. */
function restBehind(text, { kind, text: taken }) {
  if (kind === 'value' || kind === 'type') return text.replace(/^[^\s()]+/, '');
  if (kind !== 'field') return text;
  const rest = text.replace(/^[\w.$@`-]+/, '');
  return /[: ]$/.test(taken) && rest.startsWith(taken.at(-1)) ? rest.slice(1) : rest;
}
