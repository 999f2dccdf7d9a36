import { literalOf } from './filter/cel.js';
import { reference } from './filter/field-reference.js';
import { kindOf } from './json-preview.js';

/** How the numbers of a field are spread: bins with even bounds, equal steps or equal ratios. */

/** As many as can be counted one by one, and told apart. */
export const BINS_MAX = 20;

/** Numbers that span more than this, all above zero, are binned by ratio. */
const RATIO_MIN = 50;

const ROUND = [1, 2, 5];

/**
 * @typedef {{from: number, to: number, last: boolean}} Bin [from, to); the last one includes its end
 * @param {{min: number, max: number, p50: number, 'p99.9': number}} figures of /stats
 * @returns {{log: boolean, bins: Bin[]}}
 */
export function binsOf(figures) {
  const { min, max } = figures;
  if (!(max > min)) return { log: false, bins: [{ from: min, to: max, last: true }] };
  const log = min > 0 && max / min > RATIO_MIN;
  const edges = log ? ratios(min, max) : steps(min, max);
  return { log, bins: edges.slice(1).map((to, i) => ({ from: edges[i], to, last: i === edges.length - 2 })) };
}

/** 1, 2, 5, 10, …; over many powers of ten, these alone, or some of them. */
function ratios(min, max) {
  const [low, high] = [Math.floor(Math.log10(min)), Math.ceil(Math.log10(max))];
  const powers = Array.from({ length: high - low + 1 }, (_, i) => low + i);
  for (const round of [ROUND, [1, 3], [1]]) {
    const edges = within(powers.flatMap((power) => round.map((n) => exact(n, power))), min, max);
    if (edges.length - 1 <= BINS_MAX) return edges;
  }
  const every = Math.ceil(powers.length / BINS_MAX);
  return within(powers.filter((_, i) => i % every === 0 || i === powers.length - 1).map((power) => exact(1, power)), min, max);
}

function steps(min, max) {
  const raw = (max - min) / BINS_MAX;
  const power = Math.floor(Math.log10(raw));
  const step = [...ROUND, 10].map((n) => exact(n, power)).find((size) => Math.ceil(max / size) - Math.floor(min / size) <= BINS_MAX) ?? exact(2, power + 1);
  const first = Math.floor(min / step);
  const edges = Array.from({ length: Math.ceil(max / step) - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
  // Beside their distance from zero, steps may be too small for a double.
  return edges.length > 1 && edges[0] <= min && edges.at(-1) >= max && new Set(edges).size === edges.length ? edges : [min, max];
}

/** Without the errors of a multiplication. */
const exact = (n, power) => Number(`${n}e${power}`);

/** The edges around the numbers that there are. */
function within(edges, min, max) {
  const first = Math.max(0, edges.findLastIndex((edge) => edge <= min));
  const last = edges.findIndex((edge) => edge >= max);
  return edges.slice(first, (last < 0 ? edges.length - 1 : last) + 1);
}

/** The condition of `where` that the numbers of a bin fit. */
export function whereOf(name, { from, to, last }) {
  const place = reference(name);
  return from === to ? `${place} == ${literalOf(from)}` : `${place} >= ${literalOf(from)} && ${place} ${last ? '<=' : '<'} ${literalOf(to)}`;
}

/** Counts by bin, of all values with their counts. */
export function countValues(bins, values) {
  const counts = bins.map(() => 0);
  for (const { value, count } of values) {
    if (kindOf(value) !== 'number') continue;
    const n = Number(value);
    const at = bins.findIndex(({ from, to, last }) => n >= from && (n < to || (last && n <= to)));
    if (at >= 0) counts[at] += count;
  }
  return counts;
}

/** Where a number stands on the axis, from 0 to 1. */
export function placeOf(value, { log, bins }) {
  const at = bins.findIndex(({ to, last }) => value < to || last);
  const { from, to } = bins[at];
  const part = to === from ? 0.5 : log && from > 0 ? Math.log(value / from) / Math.log(to / from) : (value - from) / (to - from);
  return (at + Math.min(1, Math.max(0, part))) / bins.length;
}
