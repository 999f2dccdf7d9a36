import { Task } from '@lit/task';
import { html, nothing } from 'lit';

import { WhenBack } from '../../state/when-back.js';
import { callout, partError } from '../callout.js';
import { eventDetail } from './event-detail.js';
import './event-surroundings.js';
import { close } from '../icons.js';
import { View } from '../view.js';

/** The one event that the address names, above all others. Tells `event` with null to put it away. */
export class EventCard extends View {
  static properties = {
    client: { attribute: false },
    /** Its id, and its type or null. */
    event: { attribute: false },
    addressOf: { attribute: false },
    /** What was searched, from marksOf, or null. */
    marks: { attribute: false },
    /** Whether what came before and after is shown too. */
    surrounded: { type: Boolean },
  };

  #found = new Task(this, {
    args: () => [this.event.id, this.event.type],
    task: ([id, type], { signal }) => this.client.event({ id, type }, signal),
  });

  constructor() {
    super();
    new WhenBack(this, this.#found);
  }

  render() {
    return html`
      <section class="card one-event" aria-labelledby="one-event-title">
        <div class="card-head">
          <h2 id="one-event-title">One event</h2>
          <button type="button" class="button button-small" @click=${() => this.tell('event', null)}>${close}<span>Close</span></button>
        </div>
        ${this.#found.render({
          pending: () => html`<div class="bones" role="status"><span class="visually-hidden">Loading the event</span><span class="bone"></span><span class="bone"></span></div>`,
          complete: (event) => html`${eventDetail(event, this.addressOf(event), this.marks)} ${this.#surroundings(event)}`,
          error: (error) => this.#missing(error),
        })}
      </section>
    `;
  }

  #surroundings(event) {
    if (!this.surrounded) return nothing;
    return html`<event-surroundings .client=${this.client} .event=${event} .addressOf=${this.addressOf}></event-surroundings>`;
  }

  #missing(error) {
    if (error.status !== 404) return partError(error, () => this.#found.run());
    return callout({
      kind: 'warning',
      title: 'This event was not found',
      text: html`<p class="callout-detail">${this.event.id}${this.event.type ? html` of type ${this.event.type}` : nothing}</p>
        <p>It may have been deleted when its retention ended, or the link may be incomplete.</p>`,
    });
  }
}

customElements.define('event-card', EventCard);
