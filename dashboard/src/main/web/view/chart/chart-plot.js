import uPlot from 'uplot';

import { compact } from '../../model/format.js';
import { onLog, tops } from '../../model/hits.js';
import { markText } from '../../model/time/steps.js';
import { shownZone } from '../../model/time/zone.js';

/** Pixels that a pointer moves before that is a brush and not a click. */
const BRUSH_PIXELS = 4;

/** On a log axis a bar of one event still has a height. */
const LOG_LEAST = 0.5;

/** The width of a bar within its step, and its greatest in pixels. */
const BAR = [0.86, 120];

/**
 * The options and the data of uPlot for a stack of bars, or for lines.
 *
 * @param stack from stackHits, stackGroups or linesOf
 * @param {{log: boolean, middleAt: Function, onPoint: Function, onBrush: Function}} how
 * @param page as of a Plot
 */
export function chartPlot(stack, how, page) {
  const { layers, data } = stack.measure ? lines(stack, how.log) : bars(stack, how.log);
  const series = layers.map(({ colour }) => seriesOf(page.paint(colour), stack.measure));
  return [optionsOf(stack, how, page, series), data];
}

/** The tallest is drawn first, so that each lower one covers all of it but its own share. */
function bars({ times, layers }, log) {
  const sums = tops(layers, times.length).map((values) => (log ? onLog(values) : values));
  return { layers: layers.toReversed(), data: [times.map((t) => t / 1000), ...sums.toReversed()] };
}

/** A figure stands in the middle of its step. */
function lines({ times, layers, stepMillis, endMillis }, log) {
  return { layers, data: [times.map((t) => (t + Math.min(t + stepMillis, endMillis)) / 2000), ...layers.map(({ values }) => (log ? onLog(values) : values))] };
}

const seriesOf = (colour, isLine) =>
  isLine
    ? { stroke: colour, width: 1.5, points: { show: true, size: 3.5, fill: colour, stroke: colour } }
    : { paths: uPlot.paths.bars({ size: BAR, align: 1 }), fill: colour, points: { show: false } };

function optionsOf({ times, endMillis, spanMillis, measure }, { log, middleAt, onPoint, onBrush }, { host, paint, em, font }, series) {
  // The canvas follows the size of the text around it, up to that of a wall.
  const axis = { stroke: paint('var(--muted)'), font };
  const line = { stroke: paint('var(--line)'), width: 1 };
  return {
    width: host.clientWidth || 600,
    height: host.clientHeight || 140,
    padding: [0.6 * em, 1.8 * em, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      points: { show: false },
      // Where the cursor snaps to the middle of a bar, uPlot takes each click for a drag; the chart tells them apart.
      drag: { x: true, y: false, setScale: false, dist: BRUSH_PIXELS, click: () => {} },
      move: (plot, left, top) => [middleAt(plot, left), top],
    },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), shownZone()),
    hooks: { setCursor: [onPoint], setSelect: [onBrush] },
    scales: {
      x: { time: true, range: () => [times[0] / 1000, endMillis / 1000] },
      y: log ? { distr: 3, range: (_, least, most) => logRange(measure ? least : LOG_LEAST, most) } : { range: (_, least, most) => linearRange(least, most) },
    },
    axes: [
      { ...axis, size: 2 * em, space: (spanMillis < 60_000 ? 8 : 5) * em, grid: line, ticks: { ...line, size: 4 }, gap: 2, values: (_, at) => at.map((s) => markText(Math.round(s * 1000), spanMillis)) },
      { ...axis, size: 4 * em, space: 2.4 * em, grid: line, ticks: { show: false }, ...(log ? { splits: (_, __, from, to) => powers(from, to), filter: (_, at) => at } : {}), values: (_, at) => at.map((n) => (measure || Number.isInteger(n) ? figureAt(n) : '')) },
    ],
    series: [{}, ...series],
  };
}

const figureAt = (n) => (n === null ? '' : compact(n));

const linearRange = (least, most) => [Math.min(0, least ?? 0) * 1.06, most > 0 ? most * 1.06 : 1];

/** From the least figure, which is above zero; a decade at least, with room above. */
function logRange(least, most) {
  const from = least > 0 ? least * 0.8 : LOG_LEAST;
  return [from, Math.max(10 * from, (most ?? 1) * 1.2)];
}

/** The powers of ten in a range; where these are few, twice and five times them too. */
function powers(from, to) {
  const all = [];
  for (let power = Math.floor(Math.log10(from)); 10 ** power <= to; power++) all.push(...(to / from < 100 ? [1, 2, 5] : [1]).map((n) => n * 10 ** power));
  return all.filter((n) => n >= from && n <= to);
}
