import { TaskStatus } from '@lit/task';
import { html, nothing } from 'lit';

import { Client } from './api/client.js';
import { latestHour } from './api/nearest-hour.js';
import { derived } from './model/derived.js';
import { counted } from './model/format.js';
import { byHourOfDay, stackHits } from './model/hits.js';
import { HOUR_MILLIS } from './model/hour.js';
import { describeRow, describeTypes, writersMissing } from './model/rows.js';
import { SLOTS, TypeColours } from './model/type-colours.js';
import { typeChoices, typesInColour } from './model/types.js';
import { FOLLOW_SECONDS, HourData } from './state/hour-data.js';
import { ViewState } from './state/view-state.js';
import { callout, errorCallout } from './view/callout.js';
import './view/day-strip.js';
import './view/events-panel.js';
import './view/first-event.js';
import './view/health-badge.js';
import './view/hits-chart.js';
import './view/hour-stepper.js';
import './view/hour-summary.js';
import { logo } from './view/icons.js';
import './view/nearest-hours.js';
import './view/panel-tabs.js';
import './view/rows-panel.js';
import './view/sources-panel.js';
import './view/theme-switch.js';
import './view/type-picker.js';
import { View } from './view/view.js';

/** The page: one view of one hour. It owns the state; its parts show it and tell what the reader wants. */
export class HourglassPage extends View {
  static properties = {
    /** How the search for the newest hour goes: null, 'searching', 'none', or an error. */
    search: { state: true },
  };

  #client = new Client();
  #state = new ViewState(this);
  #data = new HourData(this, this.#client, () => this.#state.view);

  #choices = derived((types, chosen) => typeChoices(types?.types ?? [], chosen));
  #colours = derived((choices, chosen) => (this.#palette = this.#palette.next(typesInColour(choices, chosen, SLOTS))));
  #stack = derived((hits, colours) => stackHits(hits, (type) => colours.slotOf(type), HOUR_MILLIS));
  #rows = derived((answer) => answer.rows.map(describeRow));
  #rowTypes = derived(describeTypes);
  #dayCounts = derived((answer) => byHourOfDay(answer));
  #palette = new TypeColours();
  #announced = { key: null, text: '' };

  /** What sticks below the chooser has to know its height. */
  #chooserSize = new ResizeObserver(([{ target }]) => this.style.setProperty('--choose-height', `${target.offsetHeight}px`));

  constructor() {
    super();
    this.search = null;
    this.addEventListener('hour', (e) => this.#state.change({ hour: e.detail }));
    this.addEventListener('types', (e) => this.#state.change({ types: e.detail }));
    this.addEventListener('order', (e) => this.#state.change({ order: e.detail }));
    this.addEventListener('panel', (e) => this.#state.change({ show: e.detail }));
    this.addEventListener('reload', () => this.#data.reload());
    this.addEventListener('latest', () => this.#showLatest('change'));
    this.addEventListener('look', () => this.#showLatest('settle'));
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#chooserSize.disconnect();
  }

  willUpdate() {
    const { hour, badHour } = this.#state.view;
    if (!hour && !badHour && this.search === null) this.#showLatest('settle');
    document.title = hour ? `${hour.span}, ${hour.shortDay} UTC · Hourglass` : 'Hourglass';
  }

  updated() {
    const chooser = this.querySelector('.choose');
    if (chooser) this.#chooserSize.observe(chooser);
  }

  render() {
    const { hour, badHour } = this.#state.view;
    return html`
      <header class="top">
        <a class="brand" href="?" @click=${this.#goHome}>${logo}<span>Hourglass</span></a>
        <span class="top-tools"><health-badge .client=${this.#client}></health-badge><theme-switch></theme-switch></span>
      </header>
      ${hour ? this.#hourPage(hour) : html`<main class="page page-narrow">${badHour ? this.#notAnHour(badHour) : this.#noHour()}</main>`}
    `;
  }

  #hourPage(hour) {
    return html`
      <nav class="choose" aria-label="Time">
        <hour-stepper .hour=${hour} ?busy=${this.#busy()}></hour-stepper>
        <day-strip .hour=${hour} .counts=${this.#data.day.value ? this.#dayCounts(this.#data.day.value) : null}></day-strip>
      </nav>
      <main class="page">
        ${this.search instanceof Error ? errorCallout(this.search, () => this.#showLatest('change')) : nothing}
        ${this.#isDown() ? this.#down(hour) : this.#hour(hour)}
      </main>
    `;
  }

  #hour(hour) {
    const { types: chosen } = this.#state.view;
    const { types, hits, rows, underWay } = this.#data;
    const choices = this.#choices(types.value, chosen);
    // Colours go by the counts of the hour: without those nothing is coloured yet.
    const typed = types.value || types.status === TaskStatus.ERROR;
    const colours = typed ? this.#colours(choices, chosen) : this.#palette;
    const stack = hits.value && typed ? this.#stack(hits.value, colours) : null;
    return html`
        <div class="headline">
          <h1>${hour.longDay}, <span class="nowrap">${hour.span} UTC</span></h1>
          <hour-summary .stack=${stack} .rows=${rows.value ? this.#rows(rows.value) : null} ?stale=${this.#stale(hits)}></hour-summary>
        </div>
        <div class="overview">
          <section class="card" aria-labelledby="hits-title">
            <h2 id="hits-title">Events a minute <span class="aside">by type, UTC${underWay ? `; counts anew every ${FOLLOW_SECONDS} s` : ''}</span></h2>
            ${this.#hits(hits, stack, colours)}
          </section>
          <section class="card" aria-labelledby="types-title">
            <h2 id="types-title">Types</h2>
            ${this.#types(types, choices, colours)}
          </section>
        </div>
        ${this.#panels(stack, colours)}
        <p class="visually-hidden" role="status">${this.#announcement(hits)}</p>
    `;
  }

  #types(types, choices, colours) {
    if (types.status === TaskStatus.ERROR) return errorCallout(types.error, () => types.run());
    if (!types.value) return bones(5);
    return html`<type-picker .choices=${choices} .chosen=${this.#state.view.types} .colours=${colours}></type-picker>`;
  }

  /** Told once a view, not with each count anew. */
  #announcement(hits) {
    const key = location.search;
    if (hits.status === TaskStatus.COMPLETE && hits.value && this.#announced.key !== key) {
      this.#announced = { key, text: counted(hits.value.total, 'event') };
    }
    return this.#announced.key === key ? this.#announced.text : '';
  }

  /** Nothing at all was answered: said once, not in each part. */
  #isDown() {
    const { types, hits, rows, pager } = this.#data;
    return [types, hits, rows].every((t) => t.status === TaskStatus.ERROR) && pager?.status === 'error';
  }

  #down(hour) {
    return html`<h1>${hour.longDay}, <span class="nowrap">${hour.span} UTC</span></h1>
      ${errorCallout(this.#data.hits.error, () => this.#data.reload())}
      ${this.#sources()}`;
  }

  /** Where nothing else can be shown, what comes in may tell why. */
  #sources() {
    return html`
      <section class="card panels" aria-labelledby="sources-title">
        <h2 id="sources-title">Sources</h2>
        <sources-panel .client=${this.#client}></sources-panel>
      </section>
    `;
  }

  #hits(hits, stack, colours) {
    if (hits.status === TaskStatus.ERROR) return errorCallout(hits.error, () => hits.run());
    if (!stack) return html`<div class="hits-bone bone"></div>`;
    if (stack.total === 0 && hits.status === TaskStatus.COMPLETE) return this.#nothingHere();
    return html`<hits-chart .stack=${stack} .colours=${colours} ?stale=${this.#stale(hits)}></hits-chart>`;
  }

  #panels(stack, colours) {
    const { show } = this.#state.view;
    return html`
      <section class="card panels" aria-label="Details">
        <panel-tabs .show=${show} .rows=${this.#data.rows.value?.rows.length ?? null} .events=${stack?.total ?? null}></panel-tabs>
        <div id=${`panel-${show}`} role="tabpanel" aria-labelledby=${`tab-${show}`}>
          ${this.#panel(stack, colours)}
        </div>
      </section>
    `;
  }

  #panel(stack, colours) {
    const { order, show } = this.#state.view;
    if (show === 'sources') return html`<sources-panel .client=${this.#client}></sources-panel>`;
    if (show === 'rows') return this.#rowsPanel(colours);
    const { pager, totalWhenListed } = this.#data;
    const total = stack?.total ?? 0;
    return html`<events-panel .pager=${pager} .version=${{}} .order=${order} .total=${total}
      .came=${total - (totalWhenListed ?? Infinity)} .colours=${colours}></events-panel>`;
  }

  #rowsPanel(colours) {
    const { rows } = this.#data;
    if (rows.status === TaskStatus.ERROR) return errorCallout(rows.error, () => rows.run());
    if (!rows.value) return bones(6);
    const described = this.#rows(rows.value);
    if (described.length === 0) return html`<p class="foot">No rows to list: a row exists once an event of its type and hour came</p>`;
    return html`<rows-panel .rows=${described} .types=${this.#rowTypes(rows.value)} .missing=${writersMissing(rows.value)} .colours=${colours} ?stale=${this.#stale(rows)}></rows-panel>`;
  }

  /** An hour without hits: why, and the ways out. */
  #nothingHere() {
    const { hour, types } = this.#state.view;
    return callout({
      title: types.length > 0 ? 'No events of these types' : 'No events in this hour',
      text: this.#whyEmpty(),
      actions: html`
        ${types.length > 0 ? html`<button type="button" class="button" @click=${() => this.tell('types', [])}>Show all types</button>` : nothing}
        <nearest-hours .client=${this.#client} .hour=${hour} .types=${types}></nearest-hours>
      `,
    });
  }

  #whyEmpty() {
    const { hour, types } = this.#state.view;
    const what = types.length > 0 ? `No event of type ${types.map((t) => `“${t}”`).join(' or ')}` : 'No event';
    const future = hour.fromMillis > Date.now() ? ' This hour is yet to come.' : '';
    return `${what} has its time between ${hour.span.replace('–', ' and ')} UTC on ${hour.longDay}.${future}`;
  }

  #noHour() {
    if (this.search instanceof Error) return errorCallout(this.search, () => this.#showLatest('settle'));
    if (this.search === 'none') return html`<first-event></first-event>${this.#sources()}`;
    return html`<p class="hint" role="status">Looking for the newest events…</p>${bones(6)}`;
  }

  #notAnHour(text) {
    return callout({
      kind: 'error',
      title: 'The address names no hour',
      text: html`<p class="callout-detail">hour=${text}</p><p>An hour reads like 2026-11-20T08, in UTC.</p>`,
      actions: html`<button type="button" class="button" @click=${() => this.#showLatest('settle')}>Go to the latest hour</button>`,
    });
  }

  /** What is shown belongs to an older question, the answer to the present one is under way. */
  #stale(task) {
    return task.status === TaskStatus.PENDING && task.value != null && !this.#data.following;
  }

  #busy() {
    const { types, hits, rows, day, pager, following } = this.#data;
    return !following && (pager?.status === 'loading' || [types, hits, rows, day].some((t) => t.status === TaskStatus.PENDING));
  }

  #goHome(event) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.#state.change({ types: [] });
    this.#showLatest('change');
  }

  async #showLatest(how) {
    if (this.search !== 'none') this.search = 'searching';
    try {
      const hour = await latestHour(this.#client, Date.now());
      this.search = hour ? null : 'none';
      if (!hour) return;
      const isThere = hour.equals(this.#state.view.hour);
      this.#state[how]({ hour });
      if (isThere) this.#data.reload();
    } catch (error) {
      this.search = error;
    }
  }
}

const bones = (n) => html`<div class="bones" role="status"><span class="visually-hidden">Loading</span>${Array.from({ length: n }, () => html`<span class="bone"></span>`)}</div>`;

customElements.define('hourglass-page', HourglassPage);
