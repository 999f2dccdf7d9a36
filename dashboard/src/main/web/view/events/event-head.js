import { html, nothing } from 'lit';

import { shortName } from '../../model/fields.js';
import { TYPE } from '../../model/sorted-events.js';
import { zoneName } from '../../model/time/zone.js';
import { WIDTH_MAX, WIDTH_MIN } from '../../state/widths.js';
import { close } from '../icons.js';
import { View } from '../view.js';

/** Pixels that an arrow key moves an edge by. */
const STEP = 16;

/**
 * The heads of the columns. An edge is dragged, or moved by arrow keys. Tells `width` with a name and pixels, `widened`
 * once that is done, `sort` with a name, and `columns` when one is put away.
 */
export class EventHead extends View {
  static properties = {
    columns: { attribute: false },
    /** From nextSort, or null. */
    sort: { attribute: false },
    /** Whether the events can be sorted by a column. */
    sortable: { type: Boolean },
  };

  render() {
    return html`
      <div role="row" class="event-row" aria-rowindex="1">
        <span role="columnheader" class="event-column">Time (${zoneName()})</span>
        ${this.#head(TYPE, 'Type')}
        ${this.columns.map((name) => this.#head(name, shortName(name)))}
        <span role="columnheader">Data</span>
      </div>
    `;
  }

  #head(name, title) {
    const { sort } = this;
    const direction = sort?.name === name ? (sort.descending ? 'descending' : 'ascending') : null;
    return html`
      <span role="columnheader" class="event-column" title=${name} aria-sort=${direction ?? nothing}
        >${this.sortable
          ? html`<button type="button" class="event-column-name event-sort" title=${`Sort the loaded events by ${title}`} @click=${() => this.tell('sort', name)}>${title}</button>`
          : html`<span class="event-column-name">${title}</span>`}${name === TYPE
          ? nothing
          : html`<button type="button" class="column-close" aria-label=${`Remove column ${title}`} @click=${() => this.tell('columns', this.columns.filter((c) => c !== name))}>${close}</button>`}<span
          class="column-edge" role="separator" aria-orientation="vertical" tabindex="0" aria-label=${`Width of column ${title}`} aria-valuemin=${WIDTH_MIN} aria-valuemax=${WIDTH_MAX}
          aria-valuenow=${this.#widthOf(name)} @pointerdown=${this.#onPointerDown} @keydown=${(e) => this.#onKey(e, name)} data-name=${name}></span></span>
    `;
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
