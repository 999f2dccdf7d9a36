import { html, nothing } from 'lit';

import { shortName } from '../../model/fields.js';
import { TYPE } from '../../model/sorted-events.js';
import { zoneName } from '../../model/time/zone.js';
import { WIDTH_MAX, WIDTH_MIN } from '../../state/widths.js';
import { close } from '../icons.js';
import { View } from '../view.js';

/** Pixels that an arrow key moves an edge by. */
const STEP = 16;

/** Pixels that a pointer moves before that is a drag and not a click. */
const DRAG_PIXELS = 5;

/**
 * The heads of the columns. Edges change widths, and names change places: both are dragged, or moved by arrow keys,
 * names with Shift. Tells `width` with a name and pixels, `widened` once that is done, `sort` with a name, `columns`
 * when one is put away and `columns-moved` when one has another place.
 */
export class EventHead extends View {
  static properties = {
    columns: { attribute: false },
    /** From nextSort, or null. */
    sort: { attribute: false },
    /** Whether the events can be sorted by a column. */
    sortable: { type: Boolean },
    /** The places that a column is dragged from and to, or null. */
    drag: { state: true },
  };

  /** The gesture under way has moved a column, so that its end is no click. */
  #dragged = false;

  /** The column that keeps the focus in its new place, or null. */
  #focused = null;

  constructor() {
    super();
    this.drag = null;
  }

  render() {
    return html`
      <div role="row" class="event-row" aria-rowindex="1">
        <span role="columnheader" class="event-column">Time (${zoneName()})</span>
        ${this.#head(TYPE, 'Type', -1)}
        ${this.columns.map((name, i) => this.#head(name, shortName(name), i))}
        <span role="columnheader">Data</span>
      </div>
    `;
  }

  updated() {
    if (this.#focused === null) return;
    this.#cellOf(this.#focused)?.querySelector('.event-sort')?.focus();
    this.#focused = null;
  }

  /** @param {number} place among the columns of the reader, -1 for one that stays where it is */
  #head(name, title, place) {
    const { sort } = this;
    const direction = sort?.name === name ? (sort.descending ? 'descending' : 'ascending') : null;
    return html`
      <span role="columnheader" class="event-column" title=${name} aria-sort=${direction ?? nothing} data-drop=${this.#dropAt(place) ?? nothing}
        >${this.#name(name, title, place)}${name === TYPE
          ? nothing
          : html`<button type="button" class="column-close" aria-label=${`Remove column ${title}`} @click=${() => this.tell('columns', this.columns.filter((c) => c !== name))}>${close}</button>`}<span
          class="column-edge" role="separator" aria-orientation="vertical" tabindex="0" aria-label=${`Width of column ${title}`} aria-valuemin=${WIDTH_MIN} aria-valuemax=${WIDTH_MAX}
          aria-valuenow=${this.#widthOf(name)} @pointerdown=${this.#onPointerDown} @keydown=${(e) => this.#onKey(e, name)} data-name=${name}></span></span>
    `;
  }

  #name(name, title, place) {
    const grab = (e) => this.#onGrab(e, place);
    if (!this.sortable) return html`<span class="event-column-name cut" ?data-movable=${place >= 0} @pointerdown=${grab}>${title}</span>`;
    const movable = place >= 0 && this.columns.length > 1;
    return html`<button type="button" class="event-column-name cut event-sort sort" ?data-movable=${movable} aria-keyshortcuts=${movable ? 'Shift+ArrowLeft Shift+ArrowRight' : nothing}
      title=${`Sort the loaded events by ${title}${movable ? '; drag to move it, or Shift with arrow keys' : ''}`}
      @pointerdown=${grab} @keydown=${(e) => this.#onMoveKey(e, place)} @click=${() => this.#dragged || this.tell('sort', name)}>${title}</button>`;
  }

  /** Where the dragged column would stand against the one at a place. */
  #dropAt(place) {
    const { from, to } = this.drag ?? {};
    return place >= 0 && place === to && to !== from ? (to < from ? 'before' : 'after') : null;
  }

  #onGrab(event, from) {
    this.#dragged = false;
    if (from < 0 || event.button !== 0) return;
    const grip = event.currentTarget;
    grip.setPointerCapture(event.pointerId);
    const move = ({ clientX }) => {
      if (this.drag === null && Math.abs(clientX - event.clientX) < DRAG_PIXELS) return;
      this.#dragged = true;
      this.drag = { from, to: this.#placeAt(clientX, from) };
    };
    const end = ({ type }) => {
      ended.abort();
      const { to } = this.drag ?? { to: from };
      this.drag = null;
      if (type === 'pointerup') this.#move(from, to);
    };
    const ended = new AbortController();
    const { signal } = ended;
    grip.addEventListener('pointermove', move, { signal });
    for (const type of ['pointerup', 'pointercancel']) addEventListener(type, end, { signal });
    addEventListener('keydown', (e) => e.key === 'Escape' && (e.stopPropagation(), end(e)), { signal, capture: true });
  }

  /** The place that a column has when it is dropped there: behind all whose middles are at the left of it. */
  #placeAt(x, from) {
    const middles = this.columns.map((name) => this.#cellOf(name).getBoundingClientRect()).map(({ left, width }) => left + width / 2);
    return middles.filter((middle, i) => i !== from && middle < x).length;
  }

  #onMoveKey(event, place) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined || !event.shiftKey || place < 0) return;
    event.preventDefault();
    this.#focused = this.columns[place];
    this.#move(place, Math.min(this.columns.length - 1, Math.max(0, place + step)));
  }

  #move(from, to) {
    if (from !== to) this.tell('columns-moved', this.columns.toSpliced(from, 1).toSpliced(to, 0, this.columns[from]));
  }

  #cellOf(name) {
    return this.querySelector(`.column-edge[data-name="${CSS.escape(name)}"]`)?.parentElement;
  }

  #widthOf(name) {
    return Math.round(this.#cellOf(name)?.offsetWidth ?? WIDTH_MIN);
  }

  #onPointerDown(event) {
    const edge = event.currentTarget;
    const { name } = edge.dataset;
    event.preventDefault();
    edge.setPointerCapture(event.pointerId);
    const begin = this.#widthOf(name) - event.clientX;
    const move = ({ clientX }) => this.tell('width', { name, pixels: begin + clientX });
    edge.addEventListener('pointermove', move);
    edge.addEventListener('lostpointercapture', () => {
      edge.removeEventListener('pointermove', move);
      this.tell('widened');
    }, { once: true });
  }

  #onKey(event, name) {
    const step = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    this.tell('width', { name, pixels: this.#widthOf(name) + step });
    this.tell('widened');
  }
}

customElements.define('event-head', EventHead);
