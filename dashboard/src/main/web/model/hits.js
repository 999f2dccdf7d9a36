import { ExactNumber } from './exact-number.js';
import { BY_NOTHING, BY_TYPE, groupOf } from './breakdown.js';
import { COLOUR_OF_REST, colourOf, coloursOfGroups } from './type-colours.js';

/**
 * What the chart draws: layers of counts that stack, or lines of a figure, each with a name, a colour and its values by
 * step.
 */

/** Events that are not broken down. */
const COLOUR_OF_ALL = 'var(--series-all)';

/**
 * Stacks counts by type: a layer for each type that is shown apart, and one on top for all others.
 *
 * @param answer the answer of /api/v1/hits by type
 * @param {Set<string>} apart the types with a layer each, from the bottom up: in the order of the list of types
 * @param {number} spanMillis how much time was asked for, counted or not
 * @param {number} nowMillis where time is: of a span that is under way, the rest is left out
 */
export function stackHits(answer, apart, spanMillis, nowMillis) {
  const axis = axisOf(answer, spanMillis, nowMillis, answer.series.map((s) => s.counts));
  const places = new Map([...apart].map((type, place) => [type, place]));
  const own = answer.series.filter((s) => apart.has(s.type)).sort((a, b) => places.get(a.type) - places.get(b.type));
  const rest = answer.series.filter((s) => !apart.has(s.type));
  if (rest.length === 1) own.push(rest[0]);

  const layers = own.map((s) => ({ ...groupOf(s, BY_TYPE), colour: colourOf(s.type), values: fitted(s.counts, axis, 0) }));
  if (rest.length > 1) layers.push({ ...groupOf({ other: true }), name: `${rest.length} other types`, colour: COLOUR_OF_REST, values: sumOf(rest.map((s) => fitted(s.counts, axis, 0)), axis) });
  return stackOf(answer, layers, axis);
}

/** Counts by a field, or of all events: the group with most events at the bottom. */
export function stackGroups(answer, by, spanMillis, nowMillis) {
  const axis = axisOf(answer, spanMillis, nowMillis, answer.series.map((s) => s.counts));
  const layers = answer.series.map((s) => ({ ...groupOf(s, by), values: fitted(s.counts, axis, 0) })).sort(byWeight);
  return stackOf(answer, coloured(layers, by), axis);
}

/** A figure of /api/v1/stats over time, a line for each group that has any; null where there is no number. */
export function linesOf(answer, by, measure, spanMillis, nowMillis) {
  const axis = axisOf(answer, spanMillis, nowMillis, answer.series.map((s) => s[measure]));
  const layers = answer.series
    .map((s) => ({ ...groupOf(s, by), values: fitted(s[measure].map(toNumber), axis, null) }))
    .filter(({ values }) => values.some((value) => value !== null));
  return { ...axis, layers: coloured(layers, by), measure };
}

/** For each layer the running sum up to and including it, bottom first: the tops of the stacked bars. */
export function tops(layers, width) {
  const sum = new Array(width).fill(0);
  return layers.map(({ values }) => values.map((n, i) => (sum[i] += n)));
}

/** On a log axis there is no place for nothing and less. */
export const onLog = (values) => values.map((n) => (n > 0 ? n : null));

/** The layers that have something at a step, in the order of the legend. */
export const layersAt = ({ layers, measure }, index) =>
  layers.filter(({ values }) => (measure ? values[index] !== null : values[index] > 0));

/** The types with hits, and their counts, as /api/v1/types gives for the same events. */
export const typesOfHits = ({ series }) => ({
  types: series.map(({ type, counts }) => ({ type, count: total(counts) })).filter(({ count }) => count > 0),
});

/** Times are RFC 3339 text or milliseconds. */
export const toMillis = (time) => (typeof time === 'number' ? time : Date.parse(time));

/** Counts of a day by hour: 24 numbers. */
export function byHourOfDay(answer) {
  const hours = new Array(24).fill(0);
  for (const { counts } of answer.series) {
    counts.forEach((n, i) => {
      hours[new Date(toMillis(answer.from) + i * answer.step_ms).getUTCHours()] += n;
    });
  }
  return hours;
}

/** Layers with their colours; what gathers several values has the colour of the rest. */
function coloured(layers, by) {
  if (by === BY_TYPE) return layers.map((layer) => ({ ...layer, colour: layer.apart ? colourOf(layer.name) : COLOUR_OF_REST }));
  const colours = coloursOfGroups(by, layers.filter(({ apart }) => apart));
  return layers.map((layer) => ({ ...layer, colour: by === BY_NOTHING ? COLOUR_OF_ALL : ((layer.apart && colours.get(layer.name)) || COLOUR_OF_REST) }));
}

function stackOf({ total }, layers, axis) {
  const totals = sumOf(layers.map(({ values }) => values), axis);
  return { ...axis, layers, totals, total, peak: peakOf(totals) };
}

/**
 * The steps, as the times that they begin at, and where the last one ends: with the span, or now. But where events are
 * ahead of the clock, these are shown.
 */
function axisOf(answer, spanMillis, nowMillis, all) {
  const { step_ms: stepMillis } = answer;
  const fromMillis = toMillis(answer.from);
  const toSpan = fromMillis + spanMillis;
  const isUnderWay = fromMillis < nowMillis && nowMillis < toSpan;
  const newest = fromMillis + stepMillis * Math.max(0, ...all.map((values) => values.findLastIndex((value) => value !== null && value !== 0)));
  const endMillis = isUnderWay ? Math.min(toSpan, newest > nowMillis ? newest + stepMillis : nowMillis) : toSpan;
  const width = Math.ceil((endMillis - fromMillis) / stepMillis);
  return { stepMillis, spanMillis, endMillis, times: Array.from({ length: width }, (_, i) => fromMillis + i * stepMillis) };
}

function sumOf(all, { times }) {
  const sum = new Array(times.length).fill(0);
  for (const values of all) values.forEach((n, i) => (sum[i] += n));
  return sum;
}

function peakOf(totals) {
  const most = Math.max(0, ...totals);
  return most === 0 ? null : { index: totals.indexOf(most), count: most };
}

const total = (values) => values.reduce((sum, n) => sum + n, 0);

/** Groups that gather several values come last, on top. */
const byWeight = (a, b) => Number(b.apart) - Number(a.apart) || total(b.values) - total(a.values);

const toNumber = (value) => (value instanceof ExactNumber ? Number(value.digits) : value);

/** Values for all steps of an axis: what has none yet has nothing, and what is not drawn is left out. */
const fitted = (values, { times }, nothing) => times.map((_, i) => (i < values.length ? values[i] : nothing));
