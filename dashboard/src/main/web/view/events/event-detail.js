import { html, nothing } from 'lit';

import { writeExact } from '../../api/exact-json.js';
import { count } from '../../model/format.js';
import { keepShape, readShape, SHAPES } from '../../state/event-shape.js';
import '../copy-button.js';
import './event-fields.js';
import { marked } from './marked.js';
import { View } from '../view.js';

const TITLES = { table: 'Table', json: 'JSON' };

/** Characters of JSON that are shown: a payload may be a mebibyte. */
const CHARACTERS_MAX = 200_000;

/** An event unfolded: a table of its fields, or its JSON, and what can be done with all of it. Tells `around`. */
export class EventDetail extends View {
  static properties = {
    /** An event as the API gives it. */
    event: { attribute: false },
    /** The address of the view that shows this event by itself. */
    address: {},
    /** What was searched, from marksOf, or null. */
    marks: { attribute: false },
    shape: { state: true },
  };

  constructor() {
    super();
    this.marks = null;
    this.shape = readShape();
  }

  render() {
    const { event, shape, marks } = this;
    return html`
      <div class="detail">
        <div class="detail-head">
          <span class="segmented" role="group" aria-label="How the event is shown">
            ${SHAPES.map((one) => html`<button type="button" aria-pressed=${one === shape} @click=${() => this.#show(one)}>${TITLES[one]}</button>`)}
          </span>
          <div class="detail-tools">
            <button type="button" class="button button-small" @click=${(e) => around(e, event)}>Before and after</button>
            <copy-button label="Copy event" .text=${() => writeExact(plain(event))}></copy-button>
            <copy-button label="Copy link" .text=${() => new URL(this.address, location.href).href}></copy-button>
          </div>
        </div>
        ${shape === 'json' ? this.#json() : html`<event-fields .event=${event} .marks=${marks}></event-fields>`}
      </div>
    `;
  }

  #json() {
    const text = writeExact(plain(this.event));
    return html`
      <pre class="event-json" tabindex="0" role="region" aria-label="JSON of the event">${marked(text.slice(0, CHARACTERS_MAX), null, this.marks)}</pre>
      ${text.length > CHARACTERS_MAX ? html`<p class="hint">The first of ${count(text.length)} characters; copy the event to have them all</p>` : nothing}
    `;
  }

  #show(shape) {
    this.shape = shape;
    keepShape(shape);
  }
}

/** The event as the API gives it, without what the live view adds. */
const plain = ({ late: _, ...event }) => event;

export const eventDetail = (event, address, marks = null) => html`<event-detail .event=${event} .address=${address} .marks=${marks}></event-detail>`;

/** Asks the page for the event among its neighbours. */
export const around = ({ currentTarget }, { id, type }) => currentTarget.dispatchEvent(new CustomEvent('around', { detail: { id, type }, bubbles: true }));

customElements.define('event-detail', EventDetail);
