import { shortName } from '../fields.js';
import { kindOf } from '../json-preview.js';
import { literalOf } from './cel.js';
import { typedField, typedValue } from './field-clauses.js';
import { canRefer, OUTSIDE, reference, resolve } from './field-reference.js';

/**
 * What may come next in the filter box, by the characters before the cursor: fields, their values, types, operators.
 *
 * @typedef {{text: string, says: string, kind: 'field' | 'value' | 'type' | 'function' | 'operator'}} Proposal
 * @typedef {{from: number, to: number, proposals: Proposal[], valuesOf: string | null}} Completion `from` and `to`: what a proposal
 *     replaces; `valuesOf`: the field whose values are wanted
 */

/** As many as are read at a glance. */
const PROPOSALS_MAX = 12;
const TYPES_MAX = 4;

const TEXT = '"(?:\\\\.|[^"\\\\])*';
const VALUE = new RegExp(`(?:^|[\\s(])[-!]?(\`[^\`]+\`|[\\p{L}_@$][^\\s:()"<>=!]*)(:[<>]=?|:[=~]?|\\s*(?:[<>]=?|==?|!=)\\s*)(${TEXT}|[^\\s()"]*)$`, 'u');
const LISTED = new RegExp(`(?:^|[\\s(])[-!]?(\`[^\`]+\`|[\\p{L}_@$][^\\s:()"<>=!]*):\\((?:[^()"]|${TEXT}")*?(${TEXT}|[^\\s()",]*)$`, 'u');
const WORD = /(?:^|[\s(!])-?([\p{L}_@$][\p{L}\p{N}_.@$-]*)$/u;
const PATH = /(?<![\w.`"])data\.([^\s()[\]"'!=<>&|,:]*)$/;
const METHOD = /(?<![\w.])data\.[\w.`-]+\.([a-z]\w*)$/;
const COMPARED = new RegExp(`(?<![\\w.])((?:data(?:\\.(?:\\w+|\`[^\`]+\`))+)|type|[A-Za-z_][\\w.]*)\\s*(?:==|!=|\\bin\\s*\\[(?:[^\\]]*,)?)\\s*(${TEXT}|[\\w.-]*)$`);
const BEHIND_FIELD = /(?<![\w.])(data(?:\.(?:\w+|`[^`]+`))+|type)\s+([=!<>i]?)$/;

/** Signs that a test of a field has in the place of the colon, or behind it. */
const TESTS = [['*', 'the field is there'], ['(', 'one of several'], ['=', 'exactly this value'], ['~', 'a regular expression'], ['>=', 'at least'], ['<=', 'at most']];

/** Of expressions. */
const METHODS = [['startsWith', 'the text begins so'], ['endsWith', 'the text ends so'], ['contains', 'the text has this in it'], ['matches', 'the text fits a regular expression'], ['exists', 'some element of a list fits'], ['hasWords', 'these words occur in it'], ['size', 'its length']];
const OPERATORS = [['==', 'is'], ['!=', 'is not'], ['>=', 'at least'], ['>', 'more than'], ['<=', 'at most'], ['<', 'less than'], ['in [', 'one of several']];

/**
 * @param {string} text of the box
 * @param {number} cursor
 * @param {{fields: Map<string, object>, types: {type: string, count: number}[], values: Map<string, unknown[]>, isExpression: boolean}} known
 *     `fields` as in the answer of `/fields`, by name; `values`: further values of a field, where they were asked for;
 *     `isExpression`: the server read what was there before as one
 * @returns {Completion | null}
 */
export function completionAt(text, cursor, known) {
  const before = text.slice(0, cursor);
  const cel = known.isExpression || /(?<![\w.`"])data\./.test(before);
  const ofExpression = cel ? (comparedValue(before, known) ?? operator(before)) : null;
  const found = ofExpression ?? value(before, known) ?? (isInText(before) ? null : (path(before, known) ?? (cel ? method(before) : null) ?? word(before, known, cel)));
  if (!found) return null;
  const proposals = found.proposals.filter((p) => p.text !== before.slice(found.from).trimEnd()).slice(0, PROPOSALS_MAX);
  return proposals.length === 0 && !found.valuesOf ? null : { to: cursor, valuesOf: null, ...found, proposals };
}

const isInText = (before) => (before.replace(/\\./g, '').split('"').length - 1) % 2 === 1;

/** `status:50`, `level:(error OR wa` */
function value(before, { fields, types, values }) {
  const [, listed, inList] = LISTED.exec(before) ?? [];
  const [, field = listed, sign = ':', typed = inList] = VALUE.exec(before) ?? [];
  if (field === undefined || typed.startsWith('//') || typed.startsWith('(')) return null;
  const name = resolve(field.replaceAll('`', ''), fields);
  const plain = plainOf(typed);
  const tests = sign === ':' && typed === '' && listed === undefined ? TESTS.map(([text, says]) => ({ text, says, kind: 'operator' })) : [];
  const proposals = valuesOf(name, { fields, types, values })
    .filter((one) => typedValue(one) !== null && isBegun(plain, one))
    .map((one) => ({ text: typedValue(one), says: '', kind: name === 'type' ? 'type' : 'value' }));
  return { from: before.length - typed.length, proposals: [...proposals.slice(0, PROPOSALS_MAX - tests.length), ...tests], valuesOf: name };
}

/** `data.level == "wa` */
function comparedValue(before, { fields, types, values }) {
  const [, place, typed] = COMPARED.exec(before) ?? [];
  if (place === undefined) return null;
  const name = resolve(place.replaceAll('`', ''), fields);
  const proposals = valuesOf(name, { fields, types, values })
    .filter((one) => literalOf(one) !== null && isBegun(plainOf(typed), one))
    .map((one) => ({ text: literalOf(one), says: '', kind: name === 'type' ? 'type' : 'value' }));
  return { from: before.length - typed.length, proposals, valuesOf: name };
}

const plainOf = (typed) => typed.replace(/^"/, '').replace(/\\(["\\])/g, '$1');

function valuesOf(name, { fields, types, values }) {
  if (name === 'type') return types.map(({ type }) => type);
  return values.get(name) ?? (fields.get(name)?.values ?? []).map(({ value: one }) => one);
}

/** Of texts any part, of others the beginning. */
const isBegun = (typed, one) => (kindOf(one) === 'string' ? one.toLowerCase().includes(typed.toLowerCase()) : String(one).startsWith(typed));

/** `data.us` */
function path(before, { fields }) {
  const [whole, typed] = PATH.exec(before) ?? [];
  if (whole === undefined) return null;
  const named = typed.replaceAll('`', '').toLowerCase();
  const proposals = fieldsFor(named, fields).filter(({ field }) => canRefer(field)).map((field) => ({ text: reference(field.field), says: saysOf(field), kind: 'field' }));
  return proposals.length === 0 ? null : { from: before.length - whole.length, proposals };
}

/** `data.path.st` */
function method(before) {
  const [, typed] = METHOD.exec(before) ?? [];
  if (typed === undefined) return null;
  const proposals = METHODS.filter(([name]) => name.startsWith(typed)).map(([name, says]) => ({ text: `${name}(`, says, kind: 'function' }));
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
  const nameOf = cel ? (name) => (canRefer(name) ? `${reference(name)} ` : null) : (name) => (typedField(name) === null ? null : `${typedField(name)}:`);
  const ofFields = fieldsFor(named, fields).map((field) => ({ text: nameOf(field.field), says: saysOf(field), kind: 'field' })).filter(({ text }) => text !== null);
  const outside = OUTSIDE.filter((name) => name.startsWith(named) && (typed !== '' || name === 'type')).map((name) => ({ text: name + (cel ? ' ' : ':'), says: `the event's ${name}`, kind: 'field' }));
  const ofTypes = typed === '' ? [] : types.filter(({ type }) => type.toLowerCase().includes(named) && typedValue(type) !== null)
    .map(({ type }) => ({ text: cel ? `type == ${JSON.stringify(type)}` : `type:${typedValue(type)}`, says: 'a type', kind: 'type' }));
  return { from: before.length - typed.length, proposals: [...ofFields.slice(0, PROPOSALS_MAX - TYPES_MAX), ...outside, ...ofTypes.slice(0, TYPES_MAX)] };
}

/** Those that begin so, before those with the word in them. */
function fieldsFor(typed, fields) {
  const all = [...fields.values()].filter(({ field }) => shortName(field).toLowerCase().includes(typed));
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
