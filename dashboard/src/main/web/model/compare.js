import { kindOf } from './json-preview.js';

/**
 * How the events of a selection differ from the rest: which values are in a larger or smaller share of them. The rest
 * is all events of the range without those of the selection.
 */

/** Values of a field that are shown. */
const VALUES_MAX = 5;

/** Smaller differences are noise to a reader. */
export const DIFFERENCE_MIN = 0.02;

/** Fields with more values than this are ids. */
const DISTINCT_MAX = 2_000;

/** Fields that are compared at most: each may take two questions. */
export const FIELDS_MAX = 24;

/**
 * The fields worth comparing: those that both or one of the answers has, without ids and objects; those in most events
 * first.
 *
 * @param selected, all answers of /fields
 * @returns {{name: string, selected: object | null, all: object | null, isNumber: boolean}[]}
 */
export function comparable(selected, all) {
  const byName = (answer) => new Map(answer.fields.map((field) => [field.field, field]));
  const [ofSelected, ofAll] = [byName(selected), byName(all)];
  return [...new Set([...ofAll.keys(), ...ofSelected.keys()])]
    .map((name) => ({ name, selected: ofSelected.get(name) ?? null, all: ofAll.get(name) ?? null }))
    .map((field) => ({ ...field, isNumber: (field.all ?? field.selected).distinct > 50 && isMostlyNumbers(field.all ?? field.selected) }))
    .filter((field) => field.isNumber || isFew(field))
    .slice(0, FIELDS_MAX);
}

const isMostlyNumbers = ({ kinds, events }) => kinds.number > events / 2;

const isFew = ({ selected, all }) => {
  const field = all ?? selected;
  return field.distinct <= DISTINCT_MAX && Object.entries(field.kinds).some(([kind, events]) => !['object', 'list'].includes(kind) && events > 0);
};

/** Whether the few values that /fields tells are all that there are. */
export const tellsAll = (field) => field === null || field.values.reduce((sum, { count }) => sum + count, 0) >= field.events - field.kinds.object - field.kinds.list;

/**
 * @param {{name: string, selected: {value: unknown, count: number}[], all: {value: unknown, count: number}[]}} field
 * @param {{selected: number, all: number}} events how many there are
 * @returns {{name: string, difference: number, values: {value: unknown, selected: number, rest: number}[]}} shares from 0 to 1, those
 *     that differ most first
 */
export function comparedValues({ name, selected, all }, events) {
  const rest = Math.max(0, events.all - events.selected);
  const counts = new Map();
  for (const [which, values] of [['selected', selected], ['all', all]]) {
    for (const { value, count } of values) counts.set(keyOf(value), { value, selected: 0, all: 0, ...counts.get(keyOf(value)), [which]: count });
  }
  const values = [...counts.values()]
    .map((one) => ({ value: one.value, selected: share(one.selected, events.selected), rest: share(Math.max(0, one.all - one.selected), rest) }))
    .sort((a, b) => differenceOf(b) - differenceOf(a) || b.selected - a.selected);
  return { name, difference: values.length === 0 ? 0 : differenceOf(values[0]), values: values.slice(0, VALUES_MAX) };
}

/** The fields that stand out, most first; those that the filter itself names come last, as they had to. */
export function ranked(compared, named) {
  return compared
    .filter(({ difference }) => difference >= DIFFERENCE_MIN)
    .map((field) => ({ ...field, isNamed: named.has(field.name) }))
    .sort((a, b) => a.isNamed - b.isNamed || b.difference - a.difference);
}

/**
 * How far two spreads of numbers are apart, from 0 to 1: by the ratio of their medians and 90th percentiles, or by
 * their distance where they are not above zero.
 */
export function comparedNumbers(name, selected, all) {
  const apart = Math.max(...['p50', 'p90'].map((quantile) => distance(Number(selected[quantile]), Number(all[quantile]))));
  return { name, difference: 1 - 2 ** -apart, selected, all };
}

function distance(one, other) {
  if (one === other) return 0;
  if (one > 0 && other > 0) return Math.abs(Math.log2(one / other));
  return Math.abs(one - other) / Math.max(Math.abs(one), Math.abs(other));
}

const share = (count, events) => (events === 0 ? 0 : Math.min(1, count / events));

const differenceOf = ({ selected, rest }) => Math.abs(selected - rest);

const keyOf = (value) => `${kindOf(value)} ${value}`;
