import { html, nothing } from 'lit';

import { dayClock } from '../../model/format.js';
import { previewOf } from '../../model/json-preview.js';
import { severityOf } from '../../model/severity.js';
import { markOf } from '../../model/type-colours.js';
import { STEP, Surroundings } from '../../state/surroundings.js';
import { WhenBack } from '../../state/when-back.js';
import { bones, partError } from '../callout.js';
import { pair } from './pair.js';
import { View } from '../view.js';

/**
 * Lists the events just before and after an event, of all types or of its own, and loads more on demand. A click on one
 * shows it: tells `event`.
 */
export class EventSurroundings extends View {
  static properties = {
    client: { attribute: false },
    /** An event as the API gives it. */
    event: { attribute: false },
    addressOf: { attribute: false },
    /** Only events of the same type. */
    sameType: { state: true },
  };

  #found = null;
  /** Whether the event itself has been brought into sight. */
  #sought = false;

  constructor() {
    super();
    this.sameType = false;
    new WhenBack(this, this);
  }

  /** As of a task: an error of more events is one too. */
  get status() {
    return this.#found?.error ? 'error' : this.#found?.status;
  }

  run() {
    this.#found.retry();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#found?.cancel();
  }

  willUpdate(changed) {
    const before = changed.get('event');
    const other = changed.has('event') && (before?.id !== this.event.id || before.type !== this.event.type);
    if (!other && !changed.has('sameType')) return;
    this.#found?.cancel();
    this.#sought = false;
    this.#found = new Surroundings(this.client, this.event, this.sameType, () => this.requestUpdate());
    this.#found.start();
  }

  updated() {
    const itself = this.#sought ? null : this.querySelector('.itself');
    if (!itself) return;
    this.#sought = true;
    itself.scrollIntoView({ block: 'center' });
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
      ${this.#list()}
    `;
  }

  #list() {
    const found = this.#found;
    if (found.status === 'loading') return bones(5);
    if (found.status === 'error') return partError(found.error, () => found.retry());
    return html`
      ${this.#more('before', 'Earlier events', 'Nothing earlier')}
      <ol class="surroundings">${found.events.map((event) => this.#line(event))}</ol>
      ${this.#more('after', 'Later events', 'Nothing later')}
      ${found.error ? partError(found.error, () => found.retry()) : nothing}
    `;
  }

  #more(end, text, none) {
    if (!this.#found.hasMore(end)) return html`<p class="foot">${none}</p>`;
    return html`<button type="button" class="button button-small surround-more" aria-busy=${this.#found.status === end} title=${`${STEP} more`} @click=${() => this.#found.more(end)}>${text}</button>`;
  }

  #line(event) {
    const itself = this.#found.isItself(event);
    return html`
      <li class=${itself ? 'itself' : ''} data-severity=${severityOf(event) ?? nothing}>
        <a href=${this.addressOf(event)} aria-current=${itself ? 'true' : nothing} @click=${(e) => this.#onClick(e, event)}>${dayClock(event.time)}</a>
        <span class="event-type"><span class="swatch" .style=${markOf(event.type)}></span><span class="event-type-name cut">${event.type}</span></span>
        <span class="event-data cut">${previewOf(event).map((field) => pair(field))}</span>
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
