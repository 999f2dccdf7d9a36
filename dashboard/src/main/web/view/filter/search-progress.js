import { html, nothing } from 'lit';

import { bytes, count, counted, dayClock, percent } from '../../model/format.js';
import { zoneName } from '../../model/time/zone.js';
import { View } from '../view.js';

/** Faster answers need no words. */
const SAID_AFTER_MILLIS = 400;
const EVERY_MILLIS = 250;

/** While a question is answered: how much there is to read, how much of it is read, and for how long. Tells `stop`. */
export class SearchProgress extends View {
  static properties = {
    client: { attribute: false },
    /** As for client.plan. */
    query: { attribute: false },
    /** Its events are searched for by a filter; else they are counted, or read in order. */
    searching: { type: Boolean },
    /** Rows asked and answered so far, or null while not known. */
    progress: { attribute: false },
    /** The share of the time that is counted so far. */
    counted: { type: Number },
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
    return html`
      <div class="search-progress floating">
        <p role="status"><span class="turning-dot"></span>${this.searching ? 'Searching' : 'Counting'}${much}<span aria-hidden="true">… ${count(this.seconds)} s</span>${this.#share()}${this.#soFar()}</p>
        <button type="button" class="button button-small" @click=${() => this.tell('stop')}>Stop</button>
      </div>`;
  }

  #share() {
    const { asked, answered } = this.progress ?? {};
    if (this.searching) return asked > 0 ? share('Rows read', answered, asked, `${percent(answered / asked)} of ${counted(asked, 'row')} read`) : nothing;
    return this.counted > 0 ? share('Time counted', this.counted, 1, `${percent(this.counted)} of the time`) : nothing;
  }

  /** Ordered results show the progress of the search. */
  #soFar() {
    if (!this.searching || !(this.found > 0)) return nothing;
    return html` <b>${count(this.found)} found so far, up to ${dayClock(this.at).replace(/\.\d+$/, '')} ${zoneName()}</b>`;
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

const share = (label, value, max, text) => html` <span class="search-share"><progress max=${max} value=${value} aria-label=${label}></progress>${text}</span>`;

/**
 * After a stop: what is shown is what came before it.
 *
 * @param {number} events that came
 * @param {number} share of the time that is counted, from 0 to 1
 */
export const stoppedNote = (events, share, onAgain) => html`
  <div class="search-progress">
    <p role="status">Stopped after ${counted(events, 'event')}${share === 1 ? '' : share > 0 ? `; ${percent(share)} of the time is counted` : '; they are not counted'}; ask again for all of them.</p>
    <button type="button" class="button button-small" @click=${onAgain}>Ask again</button>
  </div>
`;

customElements.define('search-progress', SearchProgress);
