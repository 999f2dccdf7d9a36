/** Hits over time, ready to be drawn: a stack of series, the total, the peak. */

/** As many types as a bar can show apart. */
export const LAYERS_MAX = 8;

/** Name of the series that gathers the other types; no event type is a symbol. */
export const OTHERS = Symbol('others');

/**
 * @param answer the answer of /api/v1/hits
 * @param {Set<string>} apart the types with a layer each; by name, so that they keep their order from view to view
 * @param {number} spanMillis how much time was asked for, counted or not
 */
export function stackHits(answer, apart, spanMillis) {
  const { step_ms: stepMillis } = answer;
  const fromMillis = toMillis(answer.from);
  const width = Math.max(Math.ceil(spanMillis / stepMillis), ...answer.series.map((s) => s.counts.length));
  const own = answer.series.filter((s) => apart.has(s.type));
  const rest = answer.series.filter((s) => !apart.has(s.type));
  own.sort((a, b) => (a.type < b.type ? -1 : 1));

  const layers = own.map((s) => ({ type: s.type, counts: padded(s.counts, width) }));
  if (rest.length === 1) layers.push({ type: rest[0].type, counts: padded(rest[0].counts, width) });
  if (rest.length > 1) layers.push({ type: OTHERS, types: rest.length, counts: sumOf(rest, width) });

  const totals = sumOf(layers, width);
  return {
    stepMillis,
    spanMillis,
    times: totals.map((_, i) => fromMillis + i * stepMillis),
    layers,
    totals,
    total: answer.total,
    peak: peakOf(totals),
  };
}

/** For each layer the running sum up to and including it, bottom first: the tops of the stacked bars. */
export function tops(layers, width) {
  const sum = new Array(width).fill(0);
  return layers.map(({ counts }) => counts.map((n, i) => (sum[i] += n)));
}

/** The types with hits, and their counts, as /api/v1/types gives for the same events. */
export const typesOfHits = ({ series }) => ({
  types: series.map(({ type, counts }) => ({ type, count: counts.reduce((sum, n) => sum + n, 0) })).filter(({ count }) => count > 0),
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

function sumOf(series, width) {
  const sum = new Array(width).fill(0);
  for (const { counts } of series) counts.forEach((n, i) => (sum[i] += n));
  return sum;
}

function peakOf(totals) {
  const most = Math.max(0, ...totals);
  return most === 0 ? null : { index: totals.indexOf(most), count: most };
}

const padded = (counts, width) => [...counts, ...new Array(width - counts.length).fill(0)];
