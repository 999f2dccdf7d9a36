import { Task } from '@lit/task';
import { html, nothing } from 'lit';

import { clock } from '../model/format.js';
import { previewOf } from '../model/json-preview.js';
import { colourOf } from '../model/type-colours.js';
import { bones, errorCallout } from './callout.js';
import { pair } from './pair.js';
import { View } from './view.js';

/** As many on either side as fit on a screen. */
const AROUND = 20;

/** What came just before an event and just after it, of all types or of its own; each leads to itself. Tells `event`. */
export class EventSurroundings extends View {
  static properties = {
    client: { attribute: false },
    /** An event as the API gives it. */
    event: { attribute: false },
    addressOf: { attribute: false },
    /** Only events of the same type. */
    sameType: { state: true },
  };

  #found = new Task(this, {
    args: () => [this.event.id, this.event.type, this.sameType],
    task: ([id, type, same], { signal }) => this.client.around({ id, type: same ? type : null, limit: AROUND }, signal),
  });

  constructor() {
    super();
    this.sameType = false;
  }

  render() {
    return html`
      <div class="card-head">
        <h3>Before and after</h3>
        <div class="segmented" role="group" aria-label="Types of the events before and after">
          ${[[false, 'All types'], [true, 'This type']].map(([same, text]) => html`
            <button type="button" aria-pressed=${this.sameType === same} @click=${() => (this.sameType = same)}>${text}</button>`)}
        </div>
      </div>
      ${this.#found.render({
        pending: () => bones(5),
        complete: ({ events }) => html`<ol class="surroundings">${events.map((event) => this.#line(event))}</ol>`,
        error: (error) => errorCallout(error, () => this.#found.run()),
      })}
    `;
  }

  #line(event) {
    const itself = event.id === this.event.id && event.type === this.event.type;
    return html`
      <li class=${itself ? 'itself' : ''}>
        <a href=${this.addressOf(event)} aria-current=${itself ? 'true' : nothing} @click=${(e) => this.#onClick(e, event)}>${clock(event.time)}</a>
        <span class="event-type"><span class="swatch" .style=${`background:${colourOf(event.type)}`}></span><span class="event-type-name">${event.type}</span></span>
        <span class="event-data">${previewOf(event).map(pair)}</span>
      </li>
    `;
  }

  /** Within the page, unless another tab or window is asked for. */
  #onClick(event, { id, type }) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.tell('event', { id, type });
  }
}

customElements.define('event-surroundings', EventSurroundings);
