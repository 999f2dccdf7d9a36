import { html, nothing } from 'lit';
import uPlot from 'uplot';

import { compact, count, counted, perSecond } from '../model/format.js';
import { OTHERS, tops } from '../model/hits.js';
import { HOUR_MILLIS } from '../model/hour.js';
import { localMinute, localZone, placeOf } from '../model/local-time.js';
import { spanOf } from '../model/range.js';
import { barText, markText, stepName } from '../model/steps.js';
import { colourOf } from '../model/type-colours.js';
import { hitsTable } from './hits-table.js';
import { Plot } from './plot.js';
import { View } from './view.js';

/** Steps of the keyboard cursor, in bars. */
const STEPS = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 };

/** Pixels that a pointer moves before that is a brush and not a click. */
const BRUSH_PIXELS = 4;

/**
 * Hits over time, stacked by type; the bar under the pointer or the keyboard cursor is told in full. Bars that are brushed over, or
 * reached with Shift and chosen with Enter, become the span shown: tells `span`.
 */
export class HitsChart extends View {
  static properties = {
    /** From stackHits. */
    stack: { attribute: false },
    stale: { type: Boolean },
    /** Whether the numbers are shown as a table too. */
    numbers: { type: Boolean },
    /** Index of the bar pointed at, or null. */
    at: { state: true },
  };

  #plot = new Plot(this, '.hits-plot', (page) => this.#drawing(page));
  /** Where the keyboard's selection began, or null. */
  #anchor = null;

  constructor() {
    super();
    this.at = null;
  }

  render() {
    return html`
      <div class="hits ${this.stale ? 'stale' : ''}">
        <div class="hits-plot" tabindex="0" role="group" aria-roledescription="bar chart" aria-label=${this.#summary()}
          @keydown=${this.#onKey} @blur=${() => this.#letGo()}></div>
        ${this.at === null ? nothing : this.#tip(this.at)}
        <p class="visually-hidden" aria-live="polite">${this.at === null ? '' : this.#told(this.at)}</p>
        ${this.numbers ? hitsTable(this.stack, nameOf) : nothing}
      </div>
    `;
  }

  willUpdate(changed) {
    const before = changed.get('stack');
    const sameBars = before?.times[0] === this.stack.times[0] && before.times.length === this.stack.times.length;
    if (changed.has('stack') && !sameBars) this.at = null;
  }

  updated(changed) {
    if (!changed.has('stack')) return;
    const { at } = this;
    this.#plot.draw();
    this.#point(at);
  }

  #summary() {
    const { stack } = this;
    const peak = stack.peak ? `, most at ${this.#timeOf(stack.peak.index)}: ${count(stack.peak.count)}` : '';
    return `Events per ${stepName(stack.stepMillis)} by type, UTC. ${counted(stack.total, 'event')}${peak}. Arrow keys tell each bar, with Shift they select, Enter zooms in.`;
  }

  #told(index) {
    const parts = this.#partsAt(index).map(({ name, events }) => `${name} ${count(events)}`);
    return [`${this.#timeOf(index)} UTC, ${counted(this.stack.totals[index], 'event')}`, ...parts].join(', ');
  }

  #timeOf(index) {
    const { times, stepMillis, spanMillis } = this.stack;
    return barText(times[index], stepMillis, spanMillis);
  }

  #partsAt(index) {
    return this.stack.layers
      .map((layer) => ({ name: nameOf(layer), colour: this.#colourOf(layer), events: layer.counts[index] }))
      .filter(({ events }) => events > 0)
      .sort((a, b) => b.events - a.events);
  }

  #tip(index) {
    const { times, totals, stepMillis } = this.stack;
    const local = stepMillis < HOUR_MILLIS ? localMinute(times[index]) : null;
    const atRight = index < times.length / 2;
    const shift = `left:${this.#leftOf(times[index])}px`;
    return html`
      <div class="tip ${atRight ? 'tip-right' : 'tip-left'}" .style=${shift} aria-hidden="true">
        <p class="tip-head"><b>${this.#timeOf(index)} UTC</b><span>${count(totals[index])}</span></p>
        <p class="tip-aside"><span>${local === null ? '' : `${local} in ${placeOf(localZone())}`}</span><span>${perSecond((totals[index] * 1000) / stepMillis)}</span></p>
        ${this.#partsAt(index).map(({ name, colour, events }) => html`
          <p><span class="swatch" .style=${`background:${colour}`}></span><span class="tip-name">${name}</span><span>${count(events)}</span></p>`)}
      </div>
    `;
  }

  /** Middle of the bar that starts at `millis`, in pixels from the left of the chart. */
  #leftOf(millis) {
    const { stepMillis } = this.stack;
    const plot = this.#plot.drawn;
    return plot.valToPos((millis + stepMillis / 2) / 1000, 'x') + plot.over.offsetLeft;
  }

  #colourOf(layer) {
    return layer.type === OTHERS ? 'var(--series-other)' : colourOf(layer.type);
  }

  #onKey(event) {
    if (event.key === 'Escape') return this.#letGo();
    if (event.key === 'Enter' && this.at !== null) return this.#zoom(this.#anchor ?? this.at, this.at);
    const step = STEPS[event.key];
    if (step === undefined) return undefined;
    event.preventDefault();
    const last = this.stack.times.length - 1;
    const next = Math.min(last, Math.max(0, this.at === null ? (step > 0 ? 0 : last) : this.at + step));
    this.#anchor = event.shiftKey ? (this.#anchor ?? this.at ?? next) : null;
    this.#point(next);
    return this.#select(this.#anchor, next);
  }

  #letGo() {
    this.#anchor = null;
    this.#point(null);
    this.#select(null, null);
  }

  /** Shows the bars from `anchor` to `at` as selected; none where `anchor` is null. */
  #select(anchor, at) {
    const { times, stepMillis } = this.stack;
    const plot = this.#plot.drawn;
    const edge = (millis) => plot.valToPos(millis / 1000, 'x');
    const left = anchor === null ? 0 : edge(times[Math.min(anchor, at)]);
    const width = anchor === null ? 0 : edge(times[Math.max(anchor, at)] + stepMillis) - left;
    plot.setSelect({ left, width, top: 0, height: plot.over.clientHeight }, false);
  }

  /** The bars from one to the other, both included, become the span shown; one that cannot be parted stays. */
  #zoom(one, other) {
    const { times, stepMillis, spanMillis } = this.stack;
    const [first, last] = [Math.min(one, other), Math.max(one, other)];
    this.#letGo();
    if (times.length > 1) this.tell('span', spanOf(times[first], Math.min(times[last] + stepMillis, times[0] + spanMillis)));
  }

  #onBrush(plot) {
    const { left, width } = plot.select;
    if (width > 0) this.#zoom(this.#indexAt(plot, left), this.#indexAt(plot, left + width));
  }

  #point(index) {
    if (this.stack.times.length === 0) return;
    const plot = this.#plot.drawn;
    const left = index === null ? -10 : this.#leftOf(this.stack.times[index]) - plot.over.offsetLeft;
    plot.setCursor({ left, top: 0 });
  }

  #drawing(page) {
    const { times, layers } = this.stack;
    const sums = tops(layers, times.length);
    // The tallest is drawn first, so that each lower one covers all of it but its own share.
    const order = layers.map((_, i) => layers.length - 1 - i);
    const data = [times.map((t) => t / 1000), ...order.map((i) => sums[i])];
    return [this.#options(page, order.map((i) => layers[i])), data];
  }

  #options({ host, paint, em, font }, layers) {
    const { times, stepMillis, spanMillis } = this.stack;
    const bars = uPlot.paths.bars({ size: [0.84, 40], align: 1 });
    // The canvas follows the size of the text around it, up to that of a wall.
    const axis = { stroke: paint('var(--muted)'), font };
    const line = { stroke: paint('var(--line)'), width: 1 };
    return {
      width: host.clientWidth || 600,
      height: host.clientHeight || 260,
      padding: [em, 1.8 * em, 0, 0],
      legend: { show: false },
      cursor: {
        y: false,
        points: { show: false },
        drag: { x: true, y: false, setScale: false, dist: BRUSH_PIXELS },
        move: (plot, left, top) => [this.#middleAt(plot, left), top],
      },
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'UTC'),
      hooks: { setCursor: [(plot) => (this.at = this.#indexAt(plot, plot.cursor.left))], setSelect: [(plot) => this.#onBrush(plot)] },
      scales: {
        x: { time: true, range: () => [times[0] / 1000, (times.at(-1) + stepMillis) / 1000] },
        y: { range: (_, __, most) => [0, Math.max(1, most ?? 0) * 1.06] },
      },
      axes: [
        { ...axis, size: 2.7 * em, space: (spanMillis < 60_000 ? 8 : 5) * em, grid: { show: false }, ticks: { ...line, size: 5 }, values: (_, at) => at.map((s) => markText(Math.round(s * 1000), spanMillis)) },
        { ...axis, size: 4 * em, space: 3.4 * em, grid: line, ticks: { show: false }, values: (_, at) => at.map((n) => (Number.isInteger(n) ? compact(n) : '')) },
      ],
      series: [{}, ...layers.map((layer) => ({ paths: bars, fill: paint(this.#colourOf(layer)), points: { show: false } }))],
    };
  }

  /** The cursor stands in the middle of the bar that the pointer is in. */
  #middleAt(plot, left) {
    const index = this.#indexAt(plot, left);
    return index === null ? left : this.#leftOf(this.stack.times[index]) - plot.over.offsetLeft;
  }

  #indexAt(plot, left) {
    const { times, stepMillis } = this.stack;
    if (!(left >= 0) || times.length === 0) return null;
    const index = Math.floor((plot.posToVal(left, 'x') * 1000 - times[0]) / stepMillis);
    return Math.min(times.length - 1, Math.max(0, index));
  }
}

export const nameOf = (layer) => (layer.type === OTHERS ? `${count(layer.types)} other types` : layer.type);

customElements.define('hits-chart', HitsChart);
