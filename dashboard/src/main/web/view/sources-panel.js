import { html, nothing } from 'lit';

import { count, counted, perSecond } from '../model/format.js';
import { parseMetrics } from '../model/metrics.js';
import { acceptedOf, describeSources, rateOf, troublesOf } from '../model/sources.js';
import { WhileInView } from '../state/while-in-view.js';
import { callout, errorCallout } from './callout.js';
import { View } from './view.js';

/** A rate over less jumps; over more it lags behind. */
const EVERY_MILLIS = 2_000;

/** A rate over looks further apart, as when the page was hidden, is none of now. */
const APART_MILLIS_MAX = 3 * EVERY_MILLIS;

/** Where the events of the serving process come from, asked again and again while the panel is in view. */
export class SourcesPanel extends View {
  static properties = {
    client: { attribute: false },
    look: { state: true },
    before: { state: true },
    kafka: { state: true },
    error: { state: true },
  };

  #asking = null;

  constructor() {
    super();
    new WhileInView(this, EVERY_MILLIS, () => this.#ask());
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#asking?.abort();
    this.#asking = null;
  }

  firstUpdated() {
    this.#ask();
  }

  render() {
    if (this.error && !this.look) return errorCallout(this.error, () => this.#ask());
    if (!this.look) return html`<p class="hint" role="status">Asking the server…</p>`;
    const { look } = this;
    return html`
      <div class="panel-bar"><p class="panel-count">${this.#told(look)}</p></div>
      ${this.error ? errorCallout(this.error, () => this.#ask()) : nothing}
      ${this.kafka && this.kafka !== 'ready' ? callout({ kind: 'warning', title: 'Not all topics are consumed', text: this.kafka }) : nothing}
      ${look.kafka ? this.#topics(look) : html`<p class="foot">${look.ingests ? 'This process consumes no topics: kafka.bootstrap-servers is not set' : 'This process does not ingest; its page of metrics tells of queries only'}</p>`}
    `;
  }

  #told(look) {
    const rate = rateOf(look, this.before, (l) => l.accepted);
    return html`This process, since it started: ${counted(look.accepted, 'event')} taken${look.rejected > 0 ? html`, ${count(look.rejected)} refused` : nothing}${rate === null
        ? nothing
        : html`; now <b>${perSecond(rate)}</b>`}`;
  }

  #topics(look) {
    const troubles = troublesOf(look, count);
    return html`
      <div class="scroller" role="region" aria-label="Topics" tabindex="0">
        <table class="table rows">
          <thead>
            <tr>
              <th scope="col">Topic</th><th scope="col" class="number">Taken</th><th scope="col" class="number">Now</th><th scope="col" class="number">Refused</th>
              <th scope="col" class="number">Deleted keys</th><th scope="col" class="number">Not stored yet</th><th scope="col" class="number">Partitions here</th>
            </tr>
          </thead>
          <tbody>${look.topics.map((topic) => this.#topic(topic))}</tbody>
        </table>
        ${look.partitions.length > 0 ? this.#partitions(look.partitions) : html`<p class="foot">No partition is this process's at present: other members of the group have them, or the broker is being asked</p>`}
      </div>
      <p class="foot">${[`${count(look.commits)} commits`, ...troubles].join('; ')}</p>
    `;
  }

  #topic({ topic, accepted, rejected, tombstones, lag, partitions }) {
    const rate = rateOf(this.look, this.before, acceptedOf(topic));
    return html`
      <tr>
        <th scope="row">${topic}</th>
        <td class="number">${count(accepted)}</td>
        <td class="number">${rate === null ? '–' : perSecond(rate)}</td>
        <td class="number">${count(rejected)}</td>
        <td class="number">${count(tombstones)}</td>
        <td class="number">${lag === null ? '–' : count(lag)}</td>
        <td class="number">${count(partitions)}</td>
      </tr>
    `;
  }

  #partitions(partitions) {
    return html`
      <table class="table rows">
        <thead>
          <tr>
            <th scope="col">Partition</th><th scope="col" class="number">Not stored yet</th><th scope="col" class="number">Fetched of these</th>
            <th scope="col" class="number">Committed to</th><th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          ${partitions.map(
            (p) => html`
              <tr>
                <th scope="row">${p.topic} ${p.partition}</th>
                <td class="number">${p.lag === null ? '–' : count(p.lag)}</td>
                <td class="number">${p.held === null ? '–' : count(p.held)}</td>
                <td class="number">${p.committed === null ? '–' : count(p.committed)}</td>
                <td>${stateOf(p)}</td>
              </tr>
            `,
          )}
        </tbody>
      </table>
    `;
  }

  async #look(signal) {
    const text = await this.client.metrics(signal);
    return describeSources(parseMetrics(text), Date.now());
  }

  async #ask() {
    if (this.#asking) return;
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    try {
      const [look, health] = await Promise.all([this.#look(signal), this.client.health(signal)]);
      const apart = this.look ? look.atMillis - this.look.atMillis : Infinity;
      if (apart < EVERY_MILLIS / 2) return; // both by the clock and since the page came into view
      this.before = apart > APART_MILLIS_MAX ? null : this.look;
      this.look = look;
      this.kafka = health.kafka ?? null;
      this.error = null;
    } catch (error) {
      if (!signal.aborted) this.error = error;
    } finally {
      if (this.#asking?.signal === signal) this.#asking = null;
    }
  }
}

function stateOf({ paused, lag }) {
  if (paused) return 'paused until more is stored';
  if (lag === null) return 'not known yet';
  return lag === 0 ? 'up to date' : 'reading';
}

customElements.define('sources-panel', SourcesPanel);
