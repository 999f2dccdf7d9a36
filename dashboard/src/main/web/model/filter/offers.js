import { shortName } from '../fields.js';
import { reference } from './field-reference.js';
import { hasValue, quoted, typedField } from './field-clauses.js';
import { isKnown, nearestFields, nearestOf } from './nearest.js';

/**
 * Filters like one that finds nothing, each with one thing changed: what a reader may have meant.
 *
 * @typedef {{rank: number, says: string, code: string | null, q: string}} Offer `rank`: the likeliest is 0; `code`: the part that is changed, as it
 *     becomes
 */

/** As many as may be asked for. */
const PARTS_MAX = 8;

const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** What is typed behind the name of a field whose numbers are compared. */
const ORDER = /^\s*:?\s*([<>]=?)\s*(-?\d+(?:\.\d+)?)$/;

const WORD = /^[\p{L}\p{M}\p{Nd}_]+$/u;

export const RANK = { nearest: 0, kind: 1, text: 2, part: 3, types: 4, time: 5 };

/**
 * Tests of one field and at most one value, by the part of the filter that they are.
 *
 * @param {import('../../state/filter-meanings.js').Meaning} meaning
 * @returns {{part: {from: number, to: number}, at: {from: number, to: number}, name: string, value: string | null}[]} `at`: the name; `value`:
 *     what the field is to be, or null
 */
export function testsOf({ q, language, where, parts, fields, marks }) {
  return parts.slice(0, PARTS_MAX).flatMap((part) => {
    const named = fields.filter(({ from, to }) => from >= part.from && to <= part.to);
    if (named.length !== 1) return [];
    const [{ field: name, from, to }] = named;
    const sameField = fields.filter(({ field }) => field === name).length;
    const values = [...new Set(marks.filter((mark) => mark.field === name && mark.whole).map(({ text }) => text))];
    const value = values.length === 1 && sameField === 1 ? values[0] : null;
    if (language === 'cel' && (value === null || !isComparison(where, name, value))) return [];
    return typedField(name) === null ? [] : [{ part, at: { from, to }, name, value, text: q.slice(part.from, part.to) }];
  });
}

const isComparison = (where, name, value) => [value, JSON.stringify(value)].some((literal) => where === `${reference(name)} == ${literal}`);

/** Offers that need no knowledge of the events. */
export function offersOf(meaning) {
  const { q, language, parts, id } = meaning;
  const offers = [];
  const add = (rank, says, part, text) => offers.push({ rank, says, code: text, q: q.slice(0, part.from) + text + q.slice(part.to) });
  for (const test of testsOf(meaning)) {
    const { part, at, name, value, text } = test;
    const field = typedField(name);
    const [, sign, number] = ORDER.exec(q.slice(at.to, part.to)) ?? [];
    if (sign) add(RANK.kind, 'compared as texts', part, `${field}${sign}"${number}"`);
    if (value === null || value === '') continue;
    if (NUMBER.test(value)) add(RANK.kind, 'as number or text', part, `${field}:${value}`);
    else add(RANK.kind, 'in any case', part, `${field}:~${quoted(`(?i)^${escaped(value)}$`)}`);
    add(RANK.text, 'as a text, anywhere', part, quoted(value));
    if (text.includes(':') && !text.includes('"')) add(RANK.text, 'as a text, anywhere', part, quoted(text));
  }
  for (const part of parts.slice(0, PARTS_MAX)) {
    const text = q.slice(part.from, part.to);
    if (language === 'words' && id === null && WORD.test(text)) add(RANK.part, 'as the beginning of a word', part, `${text}*`);
  }
  if (id !== null) offers.push({ rank: RANK.text, says: 'as a text, anywhere', code: quoted(q), q: quoted(q) });
  if (parts.length > 1) offers.push(...parts.slice(0, PARTS_MAX).map((part) => withoutPart(q, parts, part)));
  return distinct(offers, q);
}

function withoutPart(q, parts, part) {
  const others = parts.filter((other) => other !== part).map(({ from, to }) => q.slice(from, to)).join(' ');
  return { rank: RANK.part, says: 'without', code: q.slice(part.from, part.to), q: others };
}

/**
 * Offers with a field that events have, where they have not the one that is named.
 *
 * @param {string[]} known names of fields
 */
export function nearestFieldOffers(meaning, known) {
  return meaning.fields.filter(({ field }) => isMissing(field, known)).flatMap(({ field, from, to }) =>
    nearestFields(field, known).filter((name) => typedField(name) !== null).map((name) => {
      return { rank: RANK.nearest, says: `with ${shortName(name)} for ${shortName(field)}`, code: null, q: withField(meaning, { from, to }, name) };
    }));
}

/** The filter with another field at the place of one. */
export const withField = ({ q, language }, { from, to }, name) => q.slice(0, from) + (language === 'cel' ? reference(name) : typedField(name)) + q.slice(to);

/** Whether no event has the field. */
export const isMissing = (name, known) => name.startsWith('data.') && known.length > 0 && !isKnown(name, known);

/** Offers with a value that the field of a test often has. */
export function nearestValueOffers({ q }, { part, name, value }, values) {
  const texts = values.filter((one) => typeof one === 'string' && one !== value);
  return nearestOf(value, texts).map((text) => {
    const clause = hasValue(name, text);
    return { rank: RANK.nearest, says: 'with', code: clause, q: q.slice(0, part.from) + clause + q.slice(part.to) };
  });
}

/** Each filter once, and not the one that there is. */
export function distinct(offers, q) {
  const seen = new Set([q]);
  return offers.filter((offer) => !seen.has(offer.q) && seen.add(offer.q));
}

const escaped = (text) => text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
