import { html, nothing } from 'lit';

import { count, counted, perSecond } from '../../model/format.js';
import { acceptedOf, rateOf, troublesOf } from '../../model/system/sources.js';
import { ProcessWatch } from '../../state/process-watch.js';
import { callout, partError } from '../callout.js';
import { View } from '../view.js';

/** The sources of the serving process's events, read repeatedly while the panel is in view. */
export class SourcesPanel extends View {
  static properties = { client: { attribute: false } };

  #watch = new ProcessWatch(this, () => this.client, { metrics: (client, signal) => client.metrics(signal) });

  render() {
    const { look, answers, errors } = this.#watch;
    const error = errors.metrics ?? errors.health;
    const kafka = answers.health?.kafka;
    if (error && !look) return partError(error, () => this.#watch.ask());
    if (!look) return html`<p class="hint" role="status">Asking the server…</p>`;
    return html`
      <div class="panel-bar"><p class="panel-count">${this.#told(look)}</p></div>
      ${error ? partError(error, () => this.#watch.ask()) : nothing}
      ${kafka && kafka !== 'ready' ? callout({ kind: 'warning', title: 'Not all topics are consumed', text: kafka }) : nothing}
      ${look.kafka ? this.#topics(look) : html`<p class="foot">${look.ingests ? 'This process consumes no topics: kafka.bootstrap-servers is not set' : 'This process does not ingest, so its metrics are of queries only'}</p>`}
    `;
  }

  #told(look) {
    const rate = rateOf(look, this.#watch.before, (l) => l.accepted);
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
        ${look.partitions.length > 0 ? this.#partitions(look.partitions) : html`<p class="foot">This process has no partitions at the moment: other members of the group have them, or the broker has not answered yet</p>`}
      </div>
      <p class="foot">${[`${count(look.commits)} commits`, ...troubles].join('; ')}</p>
    `;
  }

  #topic({ topic, accepted, rejected, tombstones, lag, partitions }) {
    const rate = rateOf(this.#watch.look, this.#watch.before, acceptedOf(topic));
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
}

function stateOf({ paused, lag }) {
  if (paused) return 'paused until more is stored';
  if (lag === null) return 'not known yet';
  return lag === 0 ? 'up to date' : 'reading';
}

customElements.define('sources-panel', SourcesPanel);
