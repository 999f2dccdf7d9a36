import { html, nothing } from 'lit';

import { count, counted, figure, perSecond } from '../../model/format.js';
import { layersAt } from '../../model/hits.js';
import { HOUR_MILLIS } from '../../model/time/hour.js';
import { localMinute, localZone, placeOf } from '../../model/time/local-time.js';
import { spanOf } from '../../model/time/range.js';
import { barText, stepName } from '../../model/time/steps.js';
import { shownZone, UTC, zoneName } from '../../model/time/zone.js';
import { chartLegend } from './chart-legend.js';
import { chartPlot } from './chart-plot.js';
import { hitsTable } from './hits-table.js';
import { Plot } from '../plot.js';
import { View } from '../view.js';

/** Steps of the keyboard cursor, in bars. */
const STEPS = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 };

/**
 * Draws hits as stacked bars, or a figure as lines. A tip shows all values at the pointer or the keyboard cursor. A
 * click, a brush, or Shift with the arrow keys and then Enter select a span: tells `span`. The legend filters: tells
 * `types` or `clause`.
 */
export class HitsChart extends View {
  static properties = {
    /** From stackHits, stackGroups or linesOf. */
    stack: { attribute: false },
    /** What is shown: `Events`, `p99 of ms`. */
    what: {},
    /** What it is broken down by, in words. */
    by: {},
    log: { type: Boolean },
    stale: { type: Boolean },
    /** Whether the numbers are shown as a table too. */
    numbers: { type: Boolean },
    /** Index of the bar pointed at, or null. */
    at: { state: true },
  };

  #plot = new Plot(this, '.hits-plot', (page) => this.#drawing(page));
  /** Where the keyboard's selection began, or null. */
  #anchor = null;
  /** The gesture under way has selected bars, so that its end is no click. */
  #brushed = false;

  constructor() {
    super();
    this.at = null;
  }

  render() {
    return html`
      <div class="hits ${this.stale ? 'stale' : ''}">
        <div class="hits-plot" tabindex="0" role="group" aria-roledescription="chart" aria-label=${this.#summary()}
          @keydown=${this.#onKey} @blur=${() => this.#letGo()} @pointerdown=${() => (this.#brushed = false)} @click=${this.#onClick}></div>
        ${this.at === null ? nothing : this.#tip(this.at)}
        <p class="visually-hidden" aria-live="polite">${this.at === null ? '' : this.#told(this.at)}</p>
        ${chartLegend(this.stack.layers, (...told) => this.tell(...told))}
        ${this.numbers ? hitsTable(this.stack, this.what) : nothing}
      </div>
    `;
  }

  willUpdate(changed) {
    const before = changed.get('stack');
    const sameBars = before?.times[0] === this.stack.times[0] && before.stepMillis === this.stack.stepMillis && this.at < this.stack.times.length;
    if (changed.has('stack') && !sameBars) this.at = null;
  }

  updated(changed) {
    if (changed.has('stack') || changed.has('log')) {
      const { at } = this;
      this.#plot.draw();
      this.#point(at);
    }
    this.#placeTip();
  }

  #summary() {
    const { stack, what, by } = this;
    const all = stack.totals ? ` ${counted(stack.total, 'event')}` : '';
    const peak = stack.peak ? `, most at ${this.#timeOf(stack.peak.index)}: ${count(stack.peak.count)}` : '';
    return `${what} per ${stepName(stack.stepMillis)} by ${by}, ${zoneName()}.${all}${peak}. Arrow keys tell each step, with Shift they select, Enter zooms in.`;
  }

  #told(index) {
    const { stack } = this;
    const parts = layersAt(stack, index).map(({ name, values }) => `${name} ${this.#figure(values[index])}`);
    const all = stack.totals ? [counted(stack.totals[index], 'event')] : [this.what];
    return [`${this.#timeOf(index)} ${zoneName()}`, ...all, ...parts].join(', ');
  }

  #timeOf(index) {
    const { times, stepMillis, spanMillis } = this.stack;
    return barText(times[index], stepMillis, spanMillis);
  }

  #figure(value) {
    return this.stack.measure ? figure(value) : count(value);
  }

  #tip(index) {
    const { times, totals, stepMillis } = this.stack;
    const local = stepMillis < HOUR_MILLIS && shownZone() === UTC ? localMinute(times[index]) : null;
    const rate = totals ? perSecond((totals[index] * 1000) / stepMillis) : '';
    const layers = layersAt(this.stack, index);
    return html`
      <div class="tip floating" aria-hidden="true">
        <p class="tip-head"><b>${this.#timeOf(index)} ${zoneName()}</b><span>${totals ? count(totals[index]) : this.what}</span></p>
        ${local === null && rate === '' ? nothing : html`<p class="tip-aside"><span>${local === null ? '' : `${local} in ${placeOf(localZone())}`}</span><span>${rate}</span></p>`}
        ${layers.map(({ name, colour, values }) => html`
          <p><span class="swatch" .style=${`background:${colour}`}></span><span class="tip-name cut">${name}</span><span>${this.#figure(values[index])}</span></p>`)}
        ${layers.length === 0 ? html`<p class="tip-aside">no ${totals ? 'events' : 'numbers'}</p>` : nothing}
      </div>
    `;
  }

  /** Above the bars where there is room, else below them: never over what is pointed at. */
  #placeTip() {
    const tip = this.querySelector('.tip');
    if (!tip) return;
    const host = this.querySelector('.hits-plot');
    const { top, left } = host.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = tip;
    const middle = this.#leftOf(this.stack.times[this.at]);
    tip.style.left = `${Math.max(-left + 8, Math.min(middle - width / 2, innerWidth - left - width - 8))}px`;
    tip.style.top = top >= height + 4 ? `${-height - 4}px` : `${host.offsetHeight + 4}px`;
  }

  /** Middle of the bar that starts at `millis`, as far as it is drawn, in pixels from the left of the chart. */
  #leftOf(millis) {
    const plot = this.#plot.drawn;
    return plot.valToPos((millis + this.#endOf(millis)) / 2000, 'x') + plot.over.offsetLeft;
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
    const { times } = this.stack;
    const plot = this.#plot.drawn;
    const edge = (millis) => plot.valToPos(millis / 1000, 'x');
    const left = anchor === null ? 0 : edge(times[Math.min(anchor, at)]);
    const width = anchor === null ? 0 : edge(this.#endOf(times[Math.max(anchor, at)])) - left;
    plot.setSelect({ left, width, top: 0, height: plot.over.clientHeight }, false);
  }

  /** The last bar may go on behind the end of the chart. */
  #endOf(millis) {
    const { stepMillis, endMillis } = this.stack;
    return Math.min(millis + stepMillis, endMillis);
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
    if (width === 0) return;
    this.#brushed = true;
    this.#zoom(this.#indexAt(plot, left), this.#indexAt(plot, left + width));
  }

  #onClick(event) {
    if (this.#brushed || this.at === null || !event.target.closest('.u-over')) return;
    this.#zoom(this.at, this.at);
  }

  #point(index) {
    if (this.stack.times.length === 0) return;
    const plot = this.#plot.drawn;
    const left = index === null ? -10 : this.#leftOf(this.stack.times[index]) - plot.over.offsetLeft;
    plot.setCursor({ left, top: 0 });
  }

  #drawing(page) {
    const how = {
      log: this.log,
      middleAt: (plot, left) => this.#middleAt(plot, left),
      onPoint: (plot) => (this.at = this.#indexAt(plot, plot.cursor.left)),
      onBrush: (plot) => this.#onBrush(plot),
    };
    return chartPlot(this.stack, how, page);
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

customElements.define('hits-chart', HitsChart);
