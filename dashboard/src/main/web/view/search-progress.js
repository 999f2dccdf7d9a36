import { html, nothing } from 'lit';

import { bytes, count, counted, dayClock } from '../model/format.js';
import { View } from './view.js';

/** Faster answers need no words. */
const SAID_AFTER_MILLIS = 400;
const EVERY_MILLIS = 250;

/** While a filter is applied: how much there is to read, and for how long it has been read. */
export class SearchProgress extends View {
  static properties = {
    client: { attribute: false },
    /** As for client.plan. */
    query: { attribute: false },
    /** How many events were found so far, and the time of the last of them. */
    found: { type: Number },
    at: {},
    plan: { state: true },
    seconds: { state: true },
  };

  #timer;
  #asked = null;
  #began = 0;

  connectedCallback() {
    super.connectedCallback();
    this.#began = performance.now();
    this.#timer = setInterval(() => this.#look(), EVERY_MILLIS);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.#timer);
    this.#asked?.abort();
  }

  render() {
    if (this.seconds === undefined) return nothing;
    const { plan } = this;
    const much = plan ? ` up to ${counted(plan.columns, 'event')}, ${bytes(plan.bytes)}, in ${counted(plan.rows, 'row')}` : ' events';
    return html`<p class="search-progress" role="status"><span class="turning-dot"></span>Searching${much}<span aria-hidden="true">… ${count(this.seconds)} s</span>${this.#soFar()}</p>`;
  }

  /** Ordered results show the progress of the search. */
  #soFar() {
    return this.found > 0 ? html` <b>${count(this.found)} found so far, up to ${dayClock(this.at).replace(/\.\d+$/, '')} UTC</b>` : nothing;
  }

  #look() {
    const millis = performance.now() - this.#began;
    if (millis < SAID_AFTER_MILLIS) return;
    this.seconds = Math.floor(millis / 1000);
    if (!this.#asked) this.#plan();
  }

  /** Unknown progress is left out: the search itself shows its error. */
  async #plan() {
    this.#asked = new AbortController();
    this.plan = await this.client.plan(this.query, this.#asked.signal).catch(() => null);
  }
}

customElements.define('search-progress', SearchProgress);
