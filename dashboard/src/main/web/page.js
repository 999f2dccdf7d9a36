import { TaskStatus } from '@lit/task';
import { html, nothing } from 'lit';
import { keyed } from 'lit/directives/keyed.js';

import { Client } from './api/client.js';
import { and } from './model/clauses.js';
import { derived } from './model/derived.js';
import { examplesOf } from './model/examples.js';
import { counted } from './model/format.js';
import { byHourOfDay, LAYERS_MAX, stackHits, toMillis } from './model/hits.js';
import { Hour } from './model/hour.js';
import { localSpan } from './model/local-time.js';
import { lastSpan, spanOf, wider } from './model/range.js';
import { refusalOf } from './model/refusal.js';
import { describeRow, describeTypes } from './model/rows.js';
import { stepName } from './model/steps.js';
import { typeChoices, typesApart } from './model/types.js';
import { writeView } from './state/address.js';
import { Live } from './state/live.js';
import { SpanSearch } from './state/span-search.js';
import { filterOf, FOLLOW_SECONDS, ViewData } from './state/view-data.js';
import { ViewState } from './state/view-state.js';
import { bones, errorCallout } from './view/callout.js';
import './view/day-strip.js';
import { details } from './view/details.js';
import { emptyView, noSpan, partialCounts, refusedView } from './view/empty-view.js';
import './view/event-card.js';
import './view/first-event.js';
import './view/health-badge.js';
import './view/health-panel.js';
import './view/hits-chart.js';
import './view/hour-stepper.js';
import './view/hour-summary.js';
import { logo, wider as zoomOut } from './view/icons.js';
import './view/search-bar.js';
import './view/search-progress.js';
import './view/theme-switch.js';
import './view/type-picker.js';
import { View } from './view/view.js';

/** The page: one view of a span of time. It owns the state; its parts show it and send events for the reader's wishes. */
export class HourglassPage extends View {
  #client = new Client();
  #state = new ViewState(this);
  #live = new Live(this, this.#client, this.#state);
  #newest = new SpanSearch(this, this.#client, this.#state);
  #data = new ViewData(this, this.#client, () => this.#state.view);

  #choices = derived((types, chosen) => typeChoices(types?.types ?? [], chosen));
  #apart = derived((choices, chosen) => new Set(typesApart(choices, chosen, LAYERS_MAX)));
  #stack = derived((hits, apart) => stackHits(hits, apart, Date.parse(hits.to) - Date.parse(hits.from)));
  #rows = derived((answer) => answer.rows.map(describeRow));
  #heatRows = derived((answer) => answer.rows.map(describeRow));
  #rowTypes = derived(describeTypes);
  #dayCounts = derived((answer) => byHourOfDay(answer));
  #announced = { key: null, text: '' };
  #examples = derived((event) => examplesOf(event?.data));
  #addressOf = ({ id, type }) => writeView({ ...this.#state.view, last: null, event: { id, type } });

  /** Sticky parts below the chooser need its height. */
  #chooserSize = new ResizeObserver(([{ target }]) => this.style.setProperty('--choose-height', `${target.offsetHeight}px`));

  constructor() {
    super();
    this.addEventListener('span', (e) => this.#state.change({ span: e.detail, live: false }));
    this.addEventListener('last', (e) => this.#state.change({ last: e.detail, span: lastSpan(e.detail, Date.now()), live: false }));
    this.addEventListener('live', (e) => this.#state.change(e.detail ? { live: true, show: 'events', order: 'desc', event: null } : { live: false }));
    this.addEventListener('filter', (e) => this.#state.change({ ...e.detail, ...this.#state.renewed }));
    this.addEventListener('clause', (e) => this.#state.change({ ...this.#state.renewed, where: and(this.#state.view.where, e.detail) }));
    this.addEventListener('columns', (e) => this.#state.change({ columns: e.detail }));
    this.addEventListener('column', (e) => this.#state.change({ columns: [...new Set([...this.#state.view.columns, e.detail])] }));
    this.addEventListener('field', (e) => this.#state.change({ show: 'fields', field: e.detail }));
    this.addEventListener('row', ({ detail: { hour, type } }) => this.#state.change({ span: hour, types: [type], live: false }));
    this.addEventListener('event', (e) => this.#state.change({ event: e.detail }));
    this.addEventListener('types', (e) => this.#state.change({ types: e.detail }));
    this.addEventListener('order', (e) => this.#state.change({ order: e.detail }));
    this.addEventListener('panel', (e) => this.#state.change({ show: e.detail }));
    this.addEventListener('reload', () => this.#reload());
    this.addEventListener('back', () => this.#askAgain());
    this.addEventListener('latest', () => this.#showLatest('change'));
    this.addEventListener('look', () => this.#showLatest('settle'));
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#chooserSize.disconnect();
  }

  willUpdate() {
    const { span } = this.#state.view;
    document.title = span ? `${[span.span, span.shortDay].filter(Boolean).join(', ')} UTC · Hourglass` : 'Hourglass';
  }

  updated() {
    const chooser = this.querySelector('.choose');
    if (chooser) this.#chooserSize.observe(chooser);
  }

  render() {
    const { span, badTime } = this.#state.view;
    return html`
      <header class="top">
        <a class="brand" href="?" @click=${this.#goHome}>${logo}<span>Hourglass</span></a>
        <span class="top-tools"><health-badge .client=${this.#client}></health-badge><theme-switch></theme-switch></span>
      </header>
      ${span ? this.#page(span) : html`<main class="page page-narrow">${badTime ? noSpan(badTime, () => this.#showLatest('settle')) : this.#searching()}</main>`}
    `;
  }

  #askAgain() {
    const { span, badTime } = this.#state.view;
    if (span) this.#data.retry();
    else if (!badTime) this.#showLatest('settle');
  }

  #page(span) {
    return html`
      <nav class="choose" aria-label="Time">
        <hour-stepper .span=${span} .last=${this.#state.view.last} ?live=${this.#state.view.live} ?busy=${this.#busy()}></hour-stepper>
        ${span.isWithinDay === false ? nothing : html`<day-strip .span=${span} .counts=${this.#countsOfDay()}></day-strip>`}
      </nav>
      <main class="page">
        ${this.#newest.outcome instanceof Error ? errorCallout(this.#newest.outcome, () => this.#showLatest('change')) : nothing}
        ${this.#view(span)}
      </main>
    `;
  }

  #view(span) {
    const { types: chosen } = this.#state.view;
    const { types, hits, rows } = this.#data;
    const choices = this.#choices(types.value, chosen);
    // The layers go by the counts of the view: without those nothing is drawn yet.
    const typed = types.value || types.failure;
    const apart = this.#apart(choices, chosen);
    const stack = hits.value && typed ? this.#stack(hits.value, apart) : null;
    const refusal = this.#refusal();
    const failure = this.#failure(refusal);
    const empty = !stack && !types.value && !(this.#data.listed?.events.length > 0);
    return html`
        <div class="headline">
          <div>${this.#heading(span)}<p class="local">${localSpan(span)}</p></div>
          ${empty && (refusal || failure) ? nothing : html`<hour-summary .stack=${stack} .rows=${rows.value ? this.#rows(rows.value) : null} ?noRows=${rows.value == null && (rows.failure !== null || rows.status === TaskStatus.COMPLETE)} ?failed=${failure !== null} ?underWay=${this.#data.underWay} .liveRate=${this.#live.feed?.rate ?? null} ?stale=${this.#stale(hits)}></hour-summary>`}
        </div>
        ${this.#oneEvent()}
        ${this.#search(refusal, !empty)}
        ${refusal && empty ? html`<section class="card">${refusedView((...told) => this.tell(...told))}</section>` : nothing}
        ${failure ? html`<section class="card">${this.#failed(failure, span)}</section>` : nothing}
        ${empty && refusal ? nothing : empty && failure && !this.#live.feed ? this.#health(failure) : this.#answers(span, { choices, apart, stack, failure })}
        <p class="visually-hidden" role="status">${this.#announcement(hits)}</p>
    `;
  }

  /** The one place that names a failure; the parts keep what they showed. */
  #failed(failure, span) {
    const { from, to } = this.#data.hits.value ?? {};
    const kept = from === undefined ? null : spanOf(toMillis(from), toMillis(to));
    const other = kept?.equals(span) ? '' : ` It is of ${kept?.title.join(' ')}.`;
    return errorCallout(failure, () => this.#data.retry(), kept ? `What was there before is still shown.${other}` : '');
  }

  /** The failure to name, or null; a refused filter is named by the search box. */
  #failure(refusal) {
    const { failure } = this.#data;
    return refusal || refusalOf(failure, this.#state.view) ? null : failure;
  }

  #heading(span) {
    const [first, then] = span.title;
    return html`<h1>${first} <span class="nowrap">${then}</span></h1>`;
  }

  #answers(span, { choices, apart, stack, failure }) {
    const { types, hits, underWay } = this.#data;
    return html`
        <div class="overview">
          <section class="card" aria-labelledby="hits-title">
            <div class="card-head">
              <h2 id="hits-title">Events per ${stack ? stepName(stack.stepMillis) : 'minute'} <span class="aside">by type, UTC${underWay ? `; refreshed every ${FOLLOW_SECONDS} s` : '; drag to zoom in'}</span></h2>
              <button type="button" class="button button-small" @click=${() => this.tell('span', wider(span))}>${zoomOut}<span>Zoom out</span></button>
            </div>
            ${this.#hits(hits, stack)}
          </section>
          <section class="card" aria-labelledby="types-title">
            <h2 id="types-title">Types</h2>
            ${this.#types(types, choices, apart)}
          </section>
        </div>
        ${details(this.#detailsOf(stack, failure))}
    `;
  }

  #detailsOf(stack, failure) {
    const { value } = this.#data.rows;
    const [rows, rowTypes] = value ? [this.#rows(value), this.#rowTypes(value)] : [null, null];
    const heat = this.#data.heat.value;
    const heatRows = heat ? this.#heatRows(heat) : null;
    const stale = (task) => this.#stale(task);
    return { view: this.#state.view, data: this.#data, failure, feed: this.#live.feed, client: this.#client, stack, rows, rowTypes, heatRows, query: this.#query(), addressOf: this.#addressOf, stale };
  }

  #oneEvent() {
    const { event } = this.#state.view;
    return event ? html`<event-card .client=${this.#client} .event=${event} .addressOf=${this.#addressOf}></event-card>` : nothing;
  }

  /** @param {boolean} kept whether the page still shows what was there before a refusal */
  #search(refusal, kept) {
    const { contains, where } = this.#state.view;
    const { hits, pager } = this.#data;
    const waiting = this.#data.filtered && !this.#data.following && (hits.status === TaskStatus.PENDING || ['loading', 'more'].includes(pager?.status));
    return html`
      <search-bar .contains=${contains} .where=${where} .refusal=${refusal} ?kept=${kept} .examples=${this.#examples(this.#live.feed?.first ?? pager?.events[0])}></search-bar>
      ${waiting ? keyed(location.search, html`<search-progress .client=${this.#client} .query=${this.#query()} .found=${pager?.events.length ?? 0} .at=${pager?.events.at(-1)?.time}></search-progress>`) : nothing}
    `;
  }

  #query() {
    const { span, types, ...view } = this.#state.view;
    return { ...span.query, type: types, ...filterOf(view) };
  }

  /** The server's complaint about the filter, or null. */
  #refusal() {
    const { hits, pager } = this.#data;
    const error = hits.status === TaskStatus.ERROR ? hits.error : pager?.error;
    return refusalOf(error, this.#state.view);
  }

  /** Events of the view by hour, for the strip of the day. */
  #countsOfDay() {
    const { day } = this.#data;
    return day.value ? this.#dayCounts(day.value) : null;
  }

  #types(types, choices, apart) {
    if (!types.value) return types.failure ? html`<p class="foot">Not known</p>` : bones(5);
    return html`<type-picker .choices=${choices} .chosen=${this.#state.view.types} .apart=${apart}></type-picker>`;
  }

  /** Announced once a view, not with each count. */
  #announcement(hits) {
    const key = location.search;
    if (hits.status === TaskStatus.COMPLETE && hits.value && this.#announced.key !== key) {
      this.#announced = { key, text: counted(hits.value.total, 'event') };
    }
    return this.#announced.key === key ? this.#announced.text : '';
  }

  /** If nothing else can be shown, the health may show why; not of a server that does not answer. */
  #health(failure = null) {
    return failure?.status === 0 ? nothing : html`
      <section class="card panels" aria-labelledby="health-title">
        <h2 id="health-title">Health</h2>
        <health-panel .client=${this.#client}></health-panel>
      </section>
    `;
  }

  #hits(hits, stack) {
    if (!stack) return hits.failure ? html`<p class="foot">Not counted</p>` : html`<div class="hits-bone bone"></div>`;
    if (stack.total === 0 && hits.status === TaskStatus.COMPLETE) return this.#nothingHere();
    return html`${hits.value.complete === false ? partialCounts(() => this.#data.reload()) : nothing}
      <hits-chart .stack=${stack} ?stale=${this.#stale(hits)}></hits-chart>`;
  }

  #nothingHere() {
    const { view } = this.#state;
    const narrowed = this.#data.filtered || view.types.length > 0;
    const others = narrowed && view.span instanceof Hour ? (this.#countsOfDay()?.[view.span.ofDay] ?? null) : null;
    return emptyView({ view, client: this.#client, tell: (...told) => this.tell(...told), others });
  }

  #searching() {
    const { outcome } = this.#newest;
    if (outcome instanceof Error) return errorCallout(outcome, () => this.#showLatest('settle'));
    if (outcome === 'none') return html`<first-event></first-event>${this.#health()}`;
    return html`<p class="hint" role="status">Looking for the newest events…</p>${bones(6)}`;
  }

  /** Whether the answer on the page is an older one, while the current one is under way or after it failed. */
  #stale(task) {
    const waiting = task.status === TaskStatus.PENDING && !this.#data.following;
    return task.value != null && (waiting || task.failure !== null);
  }

  #busy() {
    const { types, hits, rows, day, pager, following } = this.#data;
    return !following && (pager?.status === 'loading' || [types, hits, rows, day].some((t) => t.status === TaskStatus.PENDING));
  }

  #goHome(event) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.#state.change({ types: [], contains: '', where: '', event: null, live: false });
    this.#showLatest('change');
  }

  #reload() {
    this.#state.settle(this.#state.renewed);
    this.#data.reload();
  }

  async #showLatest(how) {
    if (await this.#newest.latest(how)) this.#data.reload();
  }
}

customElements.define('hourglass-page', HourglassPage);
