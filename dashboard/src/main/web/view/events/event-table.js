import { WindowVirtualizerController } from '@tanstack/lit-virtual';
import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';

import { fieldOf, shortName } from '../../model/fields.js';
import { clock, dateClock, dayClock } from '../../model/format.js';
import { brief, kindOf, previewOf, sameFields } from '../../model/json-preview.js';
import { severityOf } from '../../model/severity.js';
import { markOf } from '../../model/type-colours.js';
import { keepWidths, readWidths, withWidth } from '../../state/widths.js';
import { around, eventDetail } from './event-detail.js';
import './event-head.js';
import { around as aroundIcon } from '../icons.js';
import { marked } from './marked.js';
import { pair } from './pair.js';
import './value-tools.js';
import { View } from '../view.js';

/** Heights of a row against the size of text, until it is measured. */
const ROW_REMS = { compact: 1.6, comfortable: 2.5 };

/** So many events tell which fields are the same in all. */
const COMPARED_MAX = 200;

/** Rows from the end at which the next page is asked for. */
const AHEAD = 60;

const STEPS = { ArrowUp: -1, ArrowDown: 1, PageUp: -15, PageDown: 15, Home: -Infinity, End: Infinity };

/**
 * The events in time order, of which only those in the window are in the page. One row is in the tab order; arrow keys
 * move between rows, Enter unfolds. Tells `more` when the end comes near, `columns` when one is put away, `sort` with a
 * column, `reading` whether an event is unfolded.
 */
export class EventTable extends View {
  static properties = {
    events: { attribute: false },
    /** How many there are; the array grows in place. */
    length: { type: Number },
    /** Counts changes in place that leave the length as it is. */
    version: { attribute: false },
    total: { type: Number },
    /** compact or comfortable */
    density: {},
    /** Names of fields that have a column each. */
    columns: { attribute: false },
    /** Whether the days of the events differ. */
    dated: { type: Boolean },
    /** Whether their years differ too. */
    withYear: { type: Boolean },
    /** Whether late ones may be among them, which are marked. */
    marked: { type: Boolean },
    /** Gives the address that shows an event by itself. */
    addressOf: { attribute: false },
    hasMore: { type: Boolean },
    /** Whether long lines wrap. */
    wrap: { type: Boolean },
    /** From nextSort, or null; and whether events can be sorted. */
    sort: { attribute: false },
    sortable: { type: Boolean },
    /** Pixels of columns that have been moved, by name. */
    widths: { state: true },
    /** What was searched, from marksOf, or null. */
    marks: { attribute: false },
    /** The colours of types, from shownTypes: rows are drawn anew when these change. */
    colours: { attribute: false },
    unfolded: { state: true },
    active: { state: true },
  };

  #rows = new WindowVirtualizerController(this, { count: 0, estimateSize: () => ROW_REMS[this.density] * this.#rem, overscan: 6 });
  #focusActive = false;
  /** What a line shows, by event; anew when other fields have columns or differ. */
  #previews = new WeakMap();
  #beside = {};
  #compared = 0;
  /** Pixels of a line of text. */
  #rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

  constructor() {
    super();
    this.unfolded = new Set();
    this.active = 0;
    this.density = 'compact';
    this.sort = null;
    this.widths = readWidths();
  }

  willUpdate(changed) {
    if (changed.has('events')) {
      this.#keyAt = (i) => keyOf(this.events[i]);
      this.unfolded = new Set();
      this.active = 0;
    }
    this.#compare(changed);
    const rows = this.#rows.getVirtualizer();
    rows.setOptions({
      ...rows.options,
      count: this.events.length,
      getItemKey: this.marked ? placeOf : this.#keyAt,
      scrollMargin: this.#top(),
    });
    if (['density', 'wrap', 'columns'].some((name) => changed.has(name))) rows.measure();
  }

  render() {
    const rows = this.#rows.getVirtualizer();
    const visible = rows.getVirtualItems();
    return html`
      <div class="events" data-density=${this.density} ?data-wrap=${this.wrap} .style=${this.#grid()} role="table" aria-label="Events" aria-rowcount=${this.total ? this.total + 1 : -1} @keydown=${this.#onKey}>
        <event-head role="rowgroup" class="events-head" .columns=${this.columns} .sort=${this.sort} ?sortable=${this.sortable}
          @width=${this.#onWidth} @widened=${() => keepWidths(this.widths)}></event-head>
        <div class="events-body" .style=${`height:${rows.getTotalSize()}px`}>
          ${repeat(visible, (item) => item.key, (item) => this.#item(item, item.start - rows.options.scrollMargin))}
        </div>
      </div>
      <value-tools .valueOf=${this.#valueOf} .events=${this.events} .version=${this.version}></value-tools>
    `;
  }

  /** The same function as long as the array is the same: with another one all rows would be measured anew. */
  #keyAt;

  #valueOf = (element) => {
    const event = this.events[element.closest('[data-index]')?.dataset.index];
    const { name } = element.dataset;
    const value = event && (name === 'type' ? event.type : fieldOf(event.data, name));
    return value === undefined ? null : { name, value };
  };

  updated() {
    const rows = this.#rows.getVirtualizer();
    // Not by `ref`: that comes before the content of a row, which is then measured as nothing.
    this.querySelectorAll('[data-index]').forEach((row) => rows.measureElement(row));
    rows.measureElement(null);
    const last = rows.getVirtualItems().at(-1);
    if (this.hasMore && last && last.index >= this.events.length - AHEAD) this.tell('more');
    if (this.#focusActive) this.#focus();
  }

  /** Looks which fields differ in the first events; later ones change nothing, so that lines stay as they are. */
  #compare(changed) {
    const comparable = Math.min(COMPARED_MAX, this.events.length);
    if (!changed.has('events') && !changed.has('columns') && comparable === this.#compared) return;
    this.#compared = comparable;
    this.#beside = { columns: new Set(this.columns), same: sameFields(this.events.slice(0, comparable)) };
    this.#previews = new WeakMap();
  }

  #preview(event) {
    if (!this.#previews.has(event)) this.#previews.set(event, previewOf(event, this.#beside));
    return this.#previews.get(event);
  }

  /** Folds all events. */
  fold() {
    this.#unfold(new Set());
  }

  get isUnfolded() {
    return this.unfolded.size > 0;
  }

  #unfold(unfolded) {
    this.unfolded = unfolded;
    this.tell('reading', unfolded.size > 0);
  }

  #grid() {
    const widthOf = (name, usual) => (this.widths[name] ? `${this.widths[name]}px` : usual);
    const time = this.marked || this.withYear ? '18.5rem' : this.dated ? '15.5rem' : '11.5rem';
    return `--grid:${[time, widthOf('type', 'minmax(7rem, 13rem)'), ...this.columns.map((name) => widthOf(name, 'minmax(5rem, 12rem)'))].join(' ')} minmax(0, 1fr)`;
  }

  #onWidth({ detail: { name, pixels } }) {
    this.widths = withWidth(this.widths, name, pixels);
  }

  #column(event, name) {
    const value = fieldOf(event.data, name);
    const text = value === undefined ? '' : brief(value);
    return html`<span role="cell" class="event-field cut ${value === undefined ? '' : `json-${kindOf(value)}`}" data-label=${shortName(name)} data-name=${value === undefined ? nothing : name} title=${text}>${marked(text, name, this.marks)}</span>`;
  }

  #item({ index }, top) {
    const event = this.events[index];
    const open = this.unfolded.has(keyOf(event));
    const severity = severityOf(event);
    const time = this.withYear ? dateClock(event.time) : this.dated ? dayClock(event.time) : clock(event.time);
    return html`
      <div role="rowgroup" class="event ${open ? 'event-open' : ''}" data-severity=${severity ?? nothing} data-index=${index}
        .style=${`transform:translateY(${top}px)`}>
        <div role="row" class="event-row" aria-rowindex=${index + 2} @click=${(e) => this.#onClick(e, index)}>
          <span role="cell" class="event-time">
            <button type="button" class="event-toggle" aria-expanded=${open} tabindex=${index === this.active ? 0 : -1}
              aria-label=${[time, event.type, severity !== event.type && severity, event.late && 'late'].filter(Boolean).join(', ')}>${time}</button>
            ${event.late ? html`<span class="late" title="It arrived after newer events">late</span>` : nothing}
          </span>
          <span role="cell" class="event-type" data-name="type" title=${event.type}
            ><span class="swatch" .style=${markOf(event.type)}></span
            ><span class="event-type-name cut">${event.type}</span></span>
          ${this.columns.map((name) => this.#column(event, name))}
          <span role="cell" class="event-data cut">${this.#preview(event).map((field) => pair(field, this.marks))}<button type="button" class="event-around" tabindex="-1" aria-label="Before and after"
            title="Before and after" @click=${(e) => (e.stopPropagation(), around(e, event))}>${aroundIcon}</button></span>
        </div>
        ${open ? html`<div role="row" class="event-unfolded"><div role="cell" aria-colspan=${3 + this.columns.length}>${eventDetail(event, this.addressOf(event), this.marks)}</div></div>` : nothing}
      </div>
    `;
  }

  /** Distance of the body from the top of the document. */
  #top() {
    const body = this.querySelector('.events-body');
    return body ? Math.round(body.getBoundingClientRect().top + scrollY) : 0;
  }

  #onClick(event, index) {
    // Text being marked is no click.
    if (getSelection()?.toString() && !event.target.closest('button')) return;
    this.active = index;
    const key = keyOf(this.events[index]);
    const unfolded = new Set(this.unfolded);
    if (!unfolded.delete(key)) unfolded.add(key);
    this.#unfold(unfolded);
  }

  #onKey(event) {
    const step = STEPS[event.key];
    if (step === undefined || !event.target.matches('.event-toggle')) return;
    event.preventDefault();
    this.step(step);
  }

  /** Scrolls to the last of the loaded events. */
  toEnd() {
    if (this.events.length > 0) this.#rows.getVirtualizer().scrollToIndex(this.events.length - 1, { align: 'end' });
  }

  /** Moves the focus by so many rows; to the active one where it is elsewhere. */
  step(rows) {
    if (this.events.length === 0) return;
    const isThere = this.querySelector('.events-body').contains(document.activeElement);
    this.active = Math.min(this.events.length - 1, Math.max(0, this.active + (isThere ? rows : 0)));
    this.#focusActive = true;
    this.#rows.getVirtualizer().scrollToIndex(this.active, { align: 'auto' });
    this.requestUpdate();
  }

  /** Once the active row is in the page; a far one comes with a later render. */
  #focus() {
    const button = this.querySelector(`[data-index="${this.active}"] .event-toggle`);
    if (!button) return;
    this.#focusActive = false;
    button.focus({ preventScroll: true });
  }
}

/** Live events move on all the time: rows stay where they are, and only their texts change. */
const placeOf = (i) => i;

const keyOf = (event) => `${event.id} ${event.type}`;

customElements.define('event-table', EventTable);
