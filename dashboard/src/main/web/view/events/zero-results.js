import { html, nothing } from 'lit';

import { findOffers } from '../../api/offers.js';
import { counted, dateClock } from '../../model/format.js';
import { shortName } from '../../model/fields.js';
import { zoneName } from '../../model/time/zone.js';
import { View } from '../view.js';

/** As many as are read. */
const OFFERS_MAX = 12;

/**
 * What may have been meant by a filter that finds nothing, each a click away with the number of its events. Tells
 * `offer` with the change of the view, and `filter-help`.
 */
export class ZeroResults extends View {
  static properties = {
    client: { attribute: false },
    /** The view, of which the span, the types and the filter count. */
    view: { attribute: false },
    /** What the filter means, or null while that is not known. */
    meaning: { attribute: false },
    offers: { state: true },
    /** What is known at the end; null while it is being looked for. */
    outcome: { state: true },
  };

  #key = null;
  #asked = null;

  constructor() {
    super();
    this.offers = [];
    this.outcome = null;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#asked?.abort();
    this.#key = null;
  }

  willUpdate() {
    const { span, types, q } = this.view;
    const key = this.meaning && JSON.stringify([span.text, types, q]);
    if (key === this.#key) return;
    this.#key = key;
    this.#asked?.abort();
    this.offers = [];
    this.outcome = null;
    if (key !== null) this.#find();
  }

  render() {
    return html`
      ${this.outcome?.missing.map((name) => html`<p>${this.outcome.sampled ? 'No event of a sample' : `No event of this ${this.view.span.noun}`} has <code>${shortName(name)}</code>.</p>`)}
      ${this.offers.length > 0 ? html`
        <p id="offers-title">The same, changed so that it finds something:</p>
        <ul class="offers" aria-labelledby="offers-title">${this.offers.slice(0, OFFERS_MAX).map((offer) => this.#offer(offer))}</ul>` : nothing}
      ${this.outcome === null ? html`<p class="hint" role="status">Looking for what may be meant…</p>` : nothing}
      ${this.outcome !== null && this.offers.length === 0 ? html`<p>Nothing like it was found either: in any case, as a text, in other types, at other times.</p>` : nothing}
      <p><button type="button" class="filter-help" @click=${() => this.tell('filter-help')}>How filters are written</button></p>
    `;
  }

  #offer({ says, code, events, change, newest }) {
    const when = newest === undefined ? '' : `, the newest ${dateClock(newest).replace(/\.\d+$/, '')} ${zoneName()}`;
    return html`<li><button type="button" class="button button-small" @click=${() => this.tell('offer', change)}>${says}${code === null ? nothing : html` <code class="cut">${code}</code>`}</button>
      <span>${counted(events, 'event')}${when}</span></li>`;
  }

  async #find() {
    this.#asked = new AbortController();
    const { signal } = this.#asked;
    const add = (offer) => {
      if (signal.aborted) return;
      this.offers = [...this.offers, offer].sort((a, b) => a.rank - b.rank || b.events - a.events);
    };
    const outcome = await findOffers(this.client, this.view, this.meaning, add, signal);
    if (!signal.aborted) this.outcome = outcome;
  }
}

customElements.define('zero-results', ZeroResults);
