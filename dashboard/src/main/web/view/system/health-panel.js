import { html, nothing } from 'lit';

import { ago, count, counted, dayClock, perSecond } from '../../model/format.js';
import { acceptedOf, rateOf } from '../../model/system/sources.js';
import { UTC } from '../../model/time/zone.js';
import { ProcessWatch } from '../../state/process-watch.js';
import { notAllowed } from '../access/not-allowed.js';
import { callout, errorCallout, partError } from '../callout.js';
import './rejects-table.js';
import { View } from '../view.js';

/**
 * Whether all is well with the serving process: what comes in and how fast, what waits, what is refused, the store.
 * Tells `panel`.
 */
export class HealthPanel extends View {
  static properties = {
    client: { attribute: false },
    /** What the key lacks, from model/access.js. */
    access: { attribute: false },
  };

  #watch = new ProcessWatch(this, () => this.client, {
    metrics: (client, signal) => (this.access.metrics ? null : client.metrics(signal)),
    rejects: (client, signal) => (this.access.allTypes ? null : client.rejects(signal)),
    newest: (client, signal) => (this.access.events ? null : client.events({ to: new Date().toISOString(), order: 'desc', limit: 1 }, signal).then(({ events }) => ({ event: events[0], atMillis: Date.now() }))),
  });

  render() {
    const { answers, errors, asked } = this.#watch;
    if (asked.length > 0 && asked.every((name) => errors[name] && !answers[name])) return partError(errors.health, () => this.#watch.ask());
    if (asked.length === 0) return html`<p class="foot" role="status">Asking the server…</p>`;
    return html`
      <div class="panel-bar"><p class="panel-count">${this.#since()}</p></div>
      ${isOwn(errors.health) ? errorCallout(errors.health, () => this.#watch.ask()) : errors.health ? nothing : this.#troubles(answers.health)}
      <dl class="figures health-figures">${this.#figures()}</dl>
      ${this.access.metrics ? notAllowed(this.access.metrics, 'Figures of the process') : html`<div class="health-parts">
        <section aria-labelledby="sources-head" tabindex="0"><h2 id="sources-head">Sources</h2>${this.#sources()}</section>
        <section aria-labelledby="store-head"><h2 id="store-head">Store</h2>${this.#store()}</section>
      </div>`}
      <h2 class="health-head">Refused events</h2>
      ${this.#rejects()}
    `;
  }

  #since() {
    const { startedAt } = this.#watch.look ?? {};
    return `This process${startedAt ? `, since it started on ${dayClock(new Date(startedAt * 1000).toISOString(), UTC).replace(/\.\d+$/, '')} UTC` : ''}; refreshed every 2 s`;
  }

  #troubles(health) {
    if (!health) return nothing;
    const store = health.store && health.store !== 'ready' ? callout({ kind: 'error', title: 'The store is not ready', text: health.store }) : nothing;
    const kafka = health.kafka && health.kafka !== 'ready' ? callout({ kind: 'warning', title: 'Not all topics are consumed', text: health.kafka }) : nothing;
    return html`${store}${kafka}`;
  }

  #figures() {
    const { look, answers, errors } = this.#watch;
    const rate = (of) => (look ? rateText(rateOf(look, this.#watch.before, of)) : '–');
    const away = errors.metrics ? 'metrics cannot be read' : '';
    return html`
      ${this.access.metrics ? nothing : this.#ofMetrics(look, rate, away)}
      ${this.access.events ? nothing : this.#newest(answers.newest, errors.newest)}
      ${figure('Store', storeText(answers.health, errors.health), '', 'store-state')}
    `;
  }

  #ofMetrics(look, rate, away) {
    return html`
      ${figure('Taken now', look?.ingests === false ? '–' : rate((l) => l.accepted), away || (look?.ingests === false ? 'this process does not ingest' : look ? counted(look.accepted, 'event') : ''))}
      ${figure('Refused now', look?.ingests === false ? '–' : rate((l) => l.rejected), away || (look?.ingests ? counted(look.rejected, 'event') : ''))}
      ${figure('Not stored yet', look?.kafka ? count(lagOf(look)) : '–', look?.kafka ? `of ${counted(look.partitions.length, 'partition')}` : look ? 'no topics are consumed' : away)}
    `;
  }

  #newest(newest, error) {
    if (error) return figure('Newest event', '–', 'queries are not answered');
    if (!newest) return figure('Newest event', '–', '');
    if (!newest.event) return figure('Newest event', '–', 'the store is empty');
    return figure('Newest event', `${ago(newest.atMillis - Date.parse(newest.event.time))} ago`, newest.event.type);
  }

  #sources() {
    const { look, before, errors } = this.#watch;
    if (!look) return errors.metrics ? partError(errors.metrics, () => this.#watch.ask()) : nothing;
    if (!look.ingests) return html`<p class="hint">This process does not ingest: its roles leave it out</p>`;
    const ofTopics = (l) => l.topics.reduce((sum, t) => sum + t.accepted, 0);
    const pushed = (l) => Math.max(0, l.accepted - ofTopics(l));
    return html`
      <table class="table">
        <thead><tr><th scope="col">From</th><th scope="col" class="number">Taken</th><th scope="col" class="number">Now</th><th scope="col" class="number">Not stored yet</th></tr></thead>
        <tbody>
          ${line('Pushes over HTTP', pushed(look), rateOf(look, before, pushed), null)}
          ${look.topics.map((t) => line(`Topic ${t.topic}`, t.accepted, rateOf(look, before, acceptedOf(t.topic)), t.lag))}
        </tbody>
      </table>
      ${look.kafka ? html`<p><button type="button" class="button button-small" @click=${() => this.tell('panel', 'sources')}>Topics and partitions</button></p>` : nothing}
    `;
  }

  #store() {
    const { look, errors } = this.#watch;
    if (!look) return errors.metrics ? html`<p class="hint">The metrics cannot be read</p>` : nothing;
    return html`<dl class="facts">${look.store.map(({ name, text }) => html`<div><dt>${name}</dt><dd>${text}</dd></div>`)}</dl>`;
  }

  #rejects() {
    const { answers, errors } = this.#watch;
    if (this.access.allTypes) return notAllowed(this.access.allTypes, 'Refused events');
    if (errors.rejects?.status === 404) return html`<p class="foot">This process does not ingest, so it keeps no ledger</p>`;
    if (isOwn(errors.rejects)) return errorCallout(errors.rejects, () => this.#watch.ask());
    return answers.rejects ? html`<rejects-table .ledger=${answers.rejects}></rejects-table>` : nothing;
  }
}

/** Whether an error is of one question, and not of a server that is away, which the page names. */
const isOwn = (error) => error !== undefined && error.status !== 0;

const rateText = (rate) => (rate === null ? '–' : perSecond(rate));

const lagOf = (look) => look.partitions.reduce((sum, { lag }) => sum + (lag ?? 0), 0);

function storeText(health, error) {
  if (error) return 'Away';
  if (!health?.store) return '–';
  return health.store === 'ready' ? 'Ready' : 'Not ready';
}

const line = (name, taken, rate, lag) => html`
  <tr>
    <th scope="row">${name}</th>
    <td class="number">${count(taken)}</td>
    <td class="number">${rateText(rate)}</td>
    <td class="number">${lag === null ? '–' : count(lag)}</td>
  </tr>
`;

const figure = (name, value, note, testId = name) => html`
  <div class="figure"><dt>${name}</dt><dd data-testid=${testId}>${value}<span class="figure-note">${note}</span></dd></div>
`;

customElements.define('health-panel', HealthPanel);
