import { html, nothing } from 'lit';

import { bytes, count, counted, percent, perSecond } from '../../model/format.js';
import { heatOf, LEVELS, LINES_MAX, MEASURES, shareOf } from '../../model/system/heat.js';
import { dayText } from '../../model/time/range.js';
import { verdictOf } from '../../model/system/rows.js';
import { heatTable } from './heat-table.js';
import { Plot } from '../plot.js';
import { View } from '../view.js';

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Hours between two labels of the axis: the first that leaves them room. */
const LABEL_STEPS = [1, 2, 3, 6, 12, 24];

const COLOURS = LEVELS.map((_, level) => `var(--heat-${level})`);
const WIDEST = LEVELS.length - 1;

/** Pixels between a cell and its tip. */
const TIP_GAP = 8;

/**
 * Rows by hour, each cell as deep as the row is wide against its target: a wide row is seen from afar. The cell under
 * the pointer or the keyboard cursor is told in full; a click, or Enter, leads to its hour and type: tells `row`.
 */
export class RowsHeat extends View {
  static properties = {
    /** From describeRow, of all the hours. */
    rows: { attribute: false },
    /** From heatSpan. */
    shown: { attribute: false },
    /** The span of the view: its hours are framed. */
    span: { attribute: false },
    stale: { type: Boolean },
    measure: { state: true },
    /** The cell pointed at, as [hour, line], or null. */
    at: { state: true },
    open: { state: true },
  };

  #plot = new Plot(this, '.heat-plot', (page) => [this.#options(page), [[0, this.#heat.hours.length], [0, this.#heat.lines.length]]]);
  #heat = null;

  constructor() {
    super();
    this.measure = 'columns';
    this.at = null;
    this.open = false;
  }

  willUpdate(changed) {
    if (!['rows', 'shown', 'measure'].some((name) => changed.has(name))) return;
    this.#heat = heatOf(this.rows, this.shown.span, this.measure);
    const [hour, line] = this.at ?? [];
    if (hour >= this.#heat.hours.length || line >= this.#heat.lines.length) this.at = null;
  }

  render() {
    const heat = this.#heat;
    return html`
      <div class="panel-bar">
        <h2>Rows by hour <span class="aside">${this.#extent()}</span></h2>
        <div class="segmented" role="group" aria-label="Measure of the width">
          ${MEASURES.map((measure) => html`<button type="button" aria-pressed=${this.measure === measure} @click=${() => (this.measure = measure)}>${measure === 'bytes' ? 'Bytes' : 'Columns'}</button>`)}
        </div>
      </div>
      ${heat.lines.length === 0 ? html`<p class="foot">No rows in these hours</p>` : this.#map(heat)}
    `;
  }

  #map(heat) {
    return html`
      <div class="heat ${this.stale ? 'stale' : ''}">
        <div class="heat-plot" .style=${`height:${heat.lines.length * 1.6 + 2.2}em`} tabindex="0" role="group" aria-roledescription="heat map"
          aria-label=${this.#summary()} @keydown=${this.#onKey} @blur=${() => (this.at = null)} @click=${() => this.#go()} @pointerleave=${() => (this.at = null)}></div>
        ${this.at === null ? nothing : this.#tip(...this.at)}
        <p class="visually-hidden" aria-live="polite">${this.at === null ? '' : this.#told(...this.at).join(', ')}</p>
        <p class="heat-legend">Of the target, by ${this.measure}: ${LEVELS.map(({ says }, level) => html`<span class="heat-key" data-level=${level}>${says}</span>`)}</p>
        <details class="heat-numbers" @toggle=${(e) => (this.open = e.target.open)}>
          <summary>Show the numbers</summary>
          ${this.open ? heatTable(heat, this.measure) : nothing}
        </details>
      </div>
    `;
  }

  updated(changed) {
    if (this.#heat.lines.length === 0) {
      this.#plot.clear();
    } else if (['rows', 'shown', 'measure', 'span'].some((name) => changed.has(name))) {
      this.#plot.draw();
    }
    if (this.at !== null) this.#placeTip();
  }

  /** At the right of the cell, else at its left, and within the page. */
  #placeTip() {
    const tip = this.querySelector('.heat-tip');
    const cell = this.querySelector('.heat-at');
    const room = tip.offsetParent.clientWidth - tip.offsetWidth;
    const right = cell.offsetLeft + cell.offsetWidth + TIP_GAP;
    tip.style.left = `${Math.max(0, right <= room ? right : Math.min(room, cell.offsetLeft - tip.offsetWidth - TIP_GAP))}px`;
  }

  /** The shown part, and the rest. */
  #extent() {
    const { hours, of } = this.shown;
    const { lines, all } = this.#heat;
    const rows = all > lines.length ? `the widest ${LINES_MAX} of ${count(all)} rows` : counted(all, 'row');
    return `${rows}, ${of > hours ? `the newest ${count(hours)} of ${count(of)} hours` : counted(hours, 'hour')}, UTC`;
  }

  #summary() {
    const { lines } = this.#heat;
    const wide = lines.flatMap(({ cells }) => cells).filter((cell) => cell?.level === WIDEST).length;
    return `Width of rows against their target, by hour: ${this.#extent()}; ${wide === 0 ? 'none is too wide' : `${counted(wide, 'row')} too wide`}. Arrow keys tell each, Enter leads there.`;
  }

  #told(hour, line) {
    const { hours, lines } = this.#heat;
    const { type, shard, cells } = lines[line];
    const cell = cells[hour];
    const head = [`${dayText(hours[hour].fromMillis)} ${hours[hour].span} UTC`, `${type}, row ${shard}`];
    if (!cell) return [...head, 'no such row'];
    const { row } = cell;
    const verdict = cell.level === WIDEST ? 'too wide' : verdictOf(row);
    const state = new Set([verdict === 'ok' ? row.state : verdict, row.state, ...(row.rate > 0 ? [`grows by ${perSecond(row.rate)}`] : [])]);
    return [...head, `${count(row.columns)} columns${ofTarget(row, 'columns')}`, `${bytes(row.bytes)}${ofTarget(row, 'bytes')}`, [...state].join(', ')];
  }

  #tip(hour, line) {
    const { left, top, width, height } = this.#box(hour, line, 1, 1);
    const [when, which, ...facts] = this.#told(hour, line);
    return html`
      <div class="heat-at" .style=${`left:${left}px;top:${top}px;width:${width}px;height:${height}px`}></div>
      <div class="tip floating heat-tip" .style=${`top:${top}px`} aria-hidden="true">
        <p class="tip-head"><b class="tip-name cut">${which}</b></p>
        <p class="tip-aside"><span>${when}</span></p>
        ${facts.map((fact) => html`<p>${fact}</p>`)}
      </div>
    `;
  }

  /** Some cells as a rectangle in the pixels of the plot. */
  #box(hour, line, hours, lines) {
    const plot = this.#plot.drawn;
    const { over } = plot;
    const x = (at) => plot.valToPos(at, 'x');
    const y = (at) => plot.valToPos(at, 'y');
    return { left: x(hour) + over.offsetLeft, top: y(line) + over.offsetTop, width: x(hour + hours) - x(hour), height: y(line + lines) - y(line) };
  }

  #onKey(event) {
    if (event.key === 'Escape') this.at = null;
    if (event.key === 'Enter') this.#go();
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const { hours, lines } = this.#heat;
    const within = (at, size) => Math.min(size - 1, Math.max(0, at));
    this.at = this.at === null ? [hours.length - 1, 0] : [within(this.at[0] + step[0], hours.length), within(this.at[1] + step[1], lines.length)];
  }

  #go() {
    const [hour, line] = this.at ?? [];
    const cell = this.#heat.lines[line]?.cells[hour];
    if (cell) this.tell('row', { hour: cell.row.hour, type: cell.row.type });
  }

  #point({ left, top }) {
    if (!(left >= 0 && top >= 0)) return;
    const plot = this.#plot.drawn;
    const [hour, line] = [plot.posToVal(left, 'x'), plot.posToVal(top, 'y')].map(Math.floor);
    const { hours, lines } = this.#heat;
    this.at = hour < hours.length && line < lines.length ? [hour, line] : null;
  }

  #options({ host, paint, em, font }) {
    const { hours, lines } = this.#heat;
    const axis = { stroke: paint('var(--muted)'), font, grid: { show: false }, ticks: { show: false }, gap: 0.5 * em };
    const names = namesThatFit(lines, font, host.clientWidth / 3);
    const apart = LABEL_STEPS.find((step) => (step * (host.clientWidth - names.width)) / hours.length >= 2.2 * em) ?? LABEL_STEPS.at(-1);
    const colours = { levels: COLOURS.map(paint), none: paint('var(--sunken)'), mark: paint('var(--surface)'), frame: paint('var(--ink)') };
    return {
      width: host.clientWidth || 600,
      height: host.clientHeight,
      padding: [0, 0.5 * em, 0, 0],
      legend: { show: false },
      cursor: { x: false, y: false, points: { show: false }, drag: { x: false, y: false } },
      hooks: { draw: [(plot) => this.#paint(plot, colours)], setCursor: [(plot) => plot === this.#plot.drawn && this.#point(plot.cursor)] },
      scales: { x: { time: false, range: () => [0, hours.length] }, y: { dir: -1, range: () => [0, lines.length] } },
      axes: [
        { ...axis, side: 0, size: 2.2 * em, splits: () => middles(hours), values: () => hours.map((hour) => (hour.ofDay % apart === 0 ? hourLabel(hour, hours) : '')) },
        { ...axis, size: names.width + em, splits: () => middles(lines), values: () => names.texts },
      ],
      series: [{}, { paths: () => null, points: { show: false } }],
    };
  }

  #paint(plot, colours) {
    const { ctx } = plot;
    const gap = devicePixelRatio;
    const x = (at) => Math.round(plot.valToPos(at, 'x', true));
    const y = (at) => Math.round(plot.valToPos(at, 'y', true));
    this.#heat.lines.forEach(({ cells }, line) => {
      this.#heat.hours.forEach((_, hour) => {
        const [left, top] = [x(hour) + gap, y(line) + gap];
        const [width, height] = [x(hour + 1) - gap - left, y(line + 1) - gap - top];
        const level = cells[hour]?.level;
        ctx.fillStyle = level === undefined ? colours.none : colours.levels[level];
        ctx.fillRect(left, top, width, height);
        if (level === WIDEST) dot(ctx, left + width / 2, top + height / 2, Math.min(width, height) / 5, colours.mark);
      });
    });
    this.#frame(plot, colours.frame);
  }

  /** The hours of the view, where the map has more than those. */
  #frame(plot, colour) {
    const { hours, lines } = this.#heat;
    const within = hours.map((hour, i) => (hour.fromMillis < this.span.toMillis && hour.toMillis > this.span.fromMillis ? i : -1)).filter((i) => i >= 0);
    if (within.length === 0 || within.length === hours.length) return;
    const x = (at) => plot.valToPos(at, 'x', true);
    const bottom = plot.valToPos(lines.length, 'y', true);
    plot.ctx.strokeStyle = colour;
    plot.ctx.lineWidth = 1.5 * devicePixelRatio;
    plot.ctx.strokeRect(x(within[0]), plot.bbox.top + 1, x(within.at(-1) + 1) - x(within[0]), bottom - plot.bbox.top - 2);
  }
}

function ofTarget(row, measure) {
  const share = shareOf(row, measure);
  return share === null ? '' : `, ${percent(share)} of the target`;
}

/** Distinct from a deep colour also with colour blindness. */
function dot(ctx, x, y, radius, colour) {
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, 2 * Math.PI);
  ctx.fillStyle = colour;
  ctx.fill();
}

/** Names of rows, the types cut to a width in pixels. */
function namesThatFit(lines, font, widthMax) {
  const ctx = document.createElement('canvas').getContext('2d');
  ctx.font = font;
  const texts = lines.map(({ type, shard }) => {
    let cut = type.slice(0, 64);
    while (cut.length > 1 && ctx.measureText(`${cut}… ${shard}`).width > widthMax) cut = cut.slice(0, -1);
    return cut.length < type.length ? `${cut}… ${shard}` : `${type} ${shard}`;
  });
  return { texts, width: Math.max(...texts.map((text) => ctx.measureText(text).width)) };
}

/** `08`, and the day where one begins. */
const hourLabel = (hour, hours) => (hour.ofDay === 0 && hours.length > 24 ? dayText(hour.fromMillis) : hour.text.slice(11));

const middles = (all) => all.map((_, i) => i + 0.5);

customElements.define('rows-heat', RowsHeat);
