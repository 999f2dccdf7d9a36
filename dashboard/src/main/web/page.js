import { TaskStatus } from '@lit/task';
import { html, nothing } from 'lit';
import { keyed } from 'lit/directives/keyed.js';

import { ApiError, Client } from './api/client.js';
import { COUNT, isAsked, isUsual, likelyNumber } from './model/breakdown.js';
import { derived } from './model/derived.js';
import { examplesOf } from './model/filter/examples.js';
import { counted, percent } from './model/format.js';
import { byHourOfDay, linesOf, stackGroups, stackHits, toMillis } from './model/hits.js';
import { Hour } from './model/time/hour.js';
import { marksOf } from './model/filter/marks.js';
import { spanOf } from './model/time/range.js';
import { refusalOf } from './model/filter/refusal.js';
import { describeRow, describeTypes } from './model/system/rows.js';
import { APART_MAX, showTypes } from './model/type-colours.js';
import { typeChoices, typesApart } from './model/types.js';
import { shownZone, showZone, wallSpan, zoneName } from './model/time/zone.js';
import { SYSTEM_PANELS, writeView } from './state/address.js';
import { keepOrder } from './state/column-order.js';
import { FieldsOfView } from './state/fields-of-view.js';
import { FilterMeanings } from './state/filter-meanings.js';
import { Filtering } from './state/filtering.js';
import { Lazy } from './state/lazy.js';
import { Live } from './state/live.js';
import { MeaningOfView } from './state/meaning-of-view.js';
import { Preferences } from './state/preferences.js';
import { Refresh } from './state/refresh.js';
import { RefusedFilter } from './state/refused-filter.js';
import { Searches, searchOf } from './state/searches.js';
import { Session } from './state/session.js';
import { Shortcuts } from './state/shortcuts.js';
import { Side } from './state/side.js';
import { SpanSearch } from './state/span-search.js';
import { filterOf, FOLLOW_SECONDS, ViewData } from './state/view-data.js';
import { ViewState } from './state/view-state.js';
import { WISHES } from './state/wishes.js';
import { notAllowed } from './view/access/not-allowed.js';
import { bones, errorCallout, partError } from './view/callout.js';
import './view/chart/chart-section.js';
import { columnsOfPage, sideSwitch } from './view/events/columns-of-page.js';
import { droppedHours, emptyView, noSpan, partialCounts, withoutFilter } from './view/events/empty-view.js';
import './view/events/event-card.js';
import './view/fields/field-list.js';
import './view/events/first-event.js';
import './view/filter/search-bar.js';
import './view/filter/searches-menu.js';
import { stoppedNote } from './view/filter/search-progress.js';
import { pageHead } from './view/page-head.js';
import { openingNote } from './view/time/opening-note.js';
import './view/time/span-figures.js';
import './view/time/time-bar.js';
import './view/fields/type-picker.js';
import { View } from './view/view.js';

/** A width of the window that style/page.css knows too. */
const NARROW = matchMedia('(max-width: 40rem)');
const NO_TYPES = [];

/**
 * The page: one view of a span of time. It owns the state; its parts show it and send events for the reader's wishes.
 */
export class HourglassPage extends View {
  #client = new Client();

  /** On a phone the list is to begin on the first screen. */
  #preferences = new Preferences(this, { chart: NARROW.matches ? 'folded' : 'open' });
  #state = new ViewState(this, () => this.#preferences.get('order'));
  #refused = new RefusedFilter();
  #meanings = new FilterMeanings(this.#client);
  #meaning = new MeaningOfView(this, this.#meanings, () => this.#state.view.q);
  #filtering = new Filtering(this, this.#client, this.#state, this.#meanings);
  #live = new Live(this, this.#client, this.#state, this.#refused);
  #newest = new SpanSearch(this, this.#client, this.#state);
  #session = new Session(this, this.#client);
  #data = new ViewData(this, this.#client, () => this.#askedFor());
  #fields = new FieldsOfView(this, this.#client, this.#data);
  #awaitsFields = false;

  /** The last word about the server: the error that it is not reached, or null. */
  #away = null;
  #valuesOf = (...asked) => this.#fields.valuesOf(...asked);
  #system = new Lazy(this, () => import('./view/system/system-page.js'));
  #analysis = new Lazy(this, () => import('./view/fields/analysis.js'));

  /** With the list of events; these are asked for without waiting for it. */
  #details = new Lazy(this, () => import('./view/details.js'));

  #searches = new Searches(this);
  #help = new Lazy(this, () => import('./view/help-dialog.js'));
  #signIn = new Lazy(this, () => import('./view/access/sign-in.js'));

  #side = new Side(this, this.#preferences);

  #choices = derived((types, chosen) => typeChoices(types?.types ?? [], chosen));
  #apart = derived(apartOf);
  #stack = derived((hits, apart) => stackHits(hits, apart, Date.parse(hits.to) - Date.parse(hits.from), Date.now()));
  #ownStack = derived(ownStackOf);
  #rows = derived((answer) => answer.rows.map(describeRow));
  #heatRows = derived((answer) => answer.rows.map(describeRow));
  #rowTypes = derived(describeTypes);
  #dayCounts = derived((answer) => byHourOfDay(answer));
  #announced = { key: null, text: '' };
  #marksOf = derived((meaning) => (meaning ? marksOf(meaning.marks) : null));
  #examples = derived((event) => examplesOf(event?.data));
  #addressOf = ({ id, type }) => writeView({ ...this.#state.view, last: null, event: { id, type } });

  /** Sticky parts below the top need its height. */
  #topSize = new ResizeObserver(([{ target }]) => this.style.setProperty('--top-height', `${target.offsetHeight}px`));

  constructor() {
    super();
    new Refresh(this, () => this.#state.view, () => this.#refreshNow());
    new Shortcuts(this, {
      filter: () => this.querySelector('search-bar input')?.focus(),
      next: () => this.querySelector('event-table')?.step(1),
      before: () => this.querySelector('event-table')?.step(-1),
      more: () => this.#more(),
      stop: () => this.#closeOrStop(),
      help: () => this.#openHelp(),
    });
    for (const [name, change] of Object.entries(WISHES)) this.addEventListener(name, (e) => this.#state.change(change(e.detail, this.#state)));
    const acts = {
      'want-fields': () => this.#fields.want(),
      'want-day': () => this.#data.wantDay(),
      'fields-again': () => this.#fields.retry(),
      stop: () => this.#data.running && this.#data.stop(),
      'search-save': (name) => this.#searches.save(name, searchOf(this.#state.view)),
      'search-remove': (name) => this.#searches.remove(name),
      'searches-forget': () => this.#searches.forget(),
      filter: (q) => this.#filtering.search(q),
      clause: (clause) => this.#filtering.add(clause),
      offer: (change) => this.#state.change({ ...('span' in change ? { live: false } : this.#state.renewed), ...change }),
      'filter-help': () => this.querySelector('search-bar').help(),
      chart: (chart) => this.#state.change(this.#withNumber(chart)),
      order: (order) => this.#order(order),
      'columns-moved': (columns) => this.#moveColumns(columns),
      prefer: (choices) => this.#prefer(choices),
      reload: () => this.#reload(),
      away: (away) => this.#turn(away),
      back: () => this.#askAgain(),
      latest: () => this.#showLatest('change'),
      look: () => this.#showLatest('settle'),
    };
    for (const [name, act] of Object.entries(acts)) this.addEventListener(name, (e) => act(e.detail));
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#topSize.disconnect();
  }

  willUpdate() {
    const { span, zone } = this.#state.view;
    const refusal = this.#refusal();
    if (refusal && this.#isEmpty()) this.#refused.note(this.#state.view, refusal);
    showZone(zone);
    this.#searches.note(this.#state.view);
    document.title = span ? `${wallSpan(span).title(zoneName())} · Hourglass` : 'Hourglass';
  }

  updated() {
    if (this.#awaitsFields && this.#knowsFields()) this.#state.change(this.#withNumber({}));
    this.#topSize.observe(this.querySelector('.top'));
  }

  render() {
    const { span, badTime } = this.#state.view;
    return html`
      ${pageHead({
        client: this.#client, session: this.#session, system: span ? this.#systemLink() : null, time: span ? this.#time(span) : nothing,
        home: (e) => this.#goHome(e), help: () => this.#openHelp(),
      })}
      <help-dialog></help-dialog>
      <sign-in .session=${this.#session} ?open=${this.#session.locked && this.#signIn.module !== null}></sign-in>
      ${this.#main(span, badTime)}
    `;
  }

  #main(span, badTime) {
    const { events } = this.#session.access;
    if (events && !(span && this.#state.view.page === 'system')) return narrowPage(html`${notAllowed(events, 'Events')}${this.#health()}`);
    if (span) return keyed(this.#state.view.zone, this.#page(span));
    if (badTime) return narrowPage(noSpan(badTime, () => this.#showLatest('settle')));
    return this.#newest.outcome === 'none' ? narrowPage(this.#nothingStored(), nothing) : narrowPage(this.#searching());
  }

  #nothingStored() {
    const { key, known, access } = this.#session;
    return known ? html`<first-event .key=${key} .lacks=${access.push}></first-event>${this.#health()}` : bones(6);
  }

  /** The view without what the key may not ask. */
  #askedFor() {
    const view = this.#shownView;
    const { events, allTypes } = this.#session.access;
    if (events) return { ...view, span: null };
    return allTypes && ['rows', 'planner'].includes(view.show) ? { ...view, show: 'events' } : view;
  }

  #time(span) {
    const { last, live, refresh } = this.#state.view;
    const { hits } = this.#data;
    const stack = this.#areOfView(hits) ? this.#stackOf(hits) : null;
    return html`
      <time-bar .span=${this.#data.counted ?? span} .last=${last} .counts=${this.#countsOfDay()} ?live=${live} .zone=${shownZone()} .refresh=${refresh} ?busy=${this.#busy()}></time-bar>
      <span-figures .stack=${stack} ?partial=${hits.partial !== null} ?failed=${hits.failure !== null || hits.stopped} ?underWay=${this.#data.underWay} .liveRate=${this.#live.feed?.rate ?? null} ?stale=${this.#stale(hits)}></span-figures>
    `;
  }

  #systemLink() {
    const { view } = this.#state;
    const isThere = view.page === 'system';
    const there = isThere ? { page: '', show: 'events' } : { page: 'system', show: SYSTEM_PANELS[0] };
    return { address: writeView({ ...view, ...there }), isThere, follow: (e) => this.#follow(e, there) };
  }

  #turn(away) {
    this.#away = away ? new ApiError(0, 'The server cannot be reached') : null;
    this.requestUpdate();
  }

  /** The server is back: all that failed is asked for again, here and in the parts. */
  #askAgain() {
    const { span, badTime } = this.#state.view;
    this.#client.dispatchEvent(new Event('back'));
    this.#fields.retry();
    for (const lazy of [this.#system, this.#analysis, this.#details]) if (lazy.error) lazy.retry();
    if (span) this.#data.retry();
    else if (!badTime) this.#showLatest('settle');
  }

  #page(span) {
    const error = this.#newest.outcome instanceof Error ? errorCallout(this.#newest.outcome, () => this.#showLatest('change')) : nothing;
    if (this.#state.view.page === 'system') return html`<main class="page">${this.#heading(span)}${error}${this.#systemPage(span)}</main>`;
    return columnsOfPage(this.#side, this.#left(), html`${this.#heading(span)}${error}${this.#view(span)}`);
  }

  #left() {
    const { types } = this.#data;
    const choices = this.#choices(types.value, this.#state.view.types);
    return html`
      <section class="side-part" aria-labelledby="types-title">
        <h2 id="types-title">Types</h2>
        ${this.#types(types, choices, this.#apart(choices, this.#state.view.types))}
      </section>
      ${this.#state.view.live ? nothing : this.#fieldList()}
    `;
  }

  #fieldList() {
    const { value, stale, failure } = this.#fields.listed;
    // Behind counts that failed, fields are not asked for.
    const unasked = !value && !failure && this.#data.hits.status === TaskStatus.ERROR;
    return html`
      <section class="side-part" aria-labelledby="fields-title">
        <h2 id="fields-title">Fields</h2>
        ${unasked ? html`<p class="foot">Not known</p>` : html`<field-list .client=${this.#client} .answer=${value} ?stale=${stale} .failure=${failure} .query=${this.#query()} .columns=${this.#state.view.columns}></field-list>`}
      </section>
    `;
  }

  #order(order) {
    this.#preferences.set('order', order);
    this.#state.change({ order, ordered: true });
  }

  #moveColumns(columns) {
    keepOrder(columns);
    this.#state.change({ columns });
  }

  async #openHelp() {
    await this.#help.loaded;
    this.querySelector('help-dialog').open?.();
  }

  /** What is new, as the buttons for it would; else the end of the list, where the next page is asked for. */
  #more() {
    const button = this.querySelector('.newcomers, .live-waiting button');
    if (button) button.click();
    else this.querySelector('event-table')?.toEnd();
  }

  /** The one thing that is nearest: a search under way, unfolded events, the one event. */
  #closeOrStop() {
    const table = this.querySelector('event-table');
    if (this.#data.running) this.#data.stop();
    else if (table?.isUnfolded) table.fold();
    else if (this.#state.view.event) this.#state.change({ event: null });
  }

  /** A figure that is chosen before its field is of the number that is likely meant, once the fields of the view are known. */
  #withNumber(chart) {
    const { measure, number } = this.#state.view;
    const isOpen = !isAsked({ measure, number, ...chart });
    this.#awaitsFields = isOpen && !this.#knowsFields();
    return isOpen && !this.#awaitsFields ? { ...chart, number: likelyNumber(this.#fields.known.values()) } : chart;
  }

  #knowsFields() {
    const { value, stale } = this.#fields.listed;
    return this.#state.view.live || (value !== null && !stale);
  }

  #prefer(choices) {
    for (const [name, choice] of Object.entries(choices)) this.#preferences.set(name, choice);
  }

  /** Goes on within the page, unless another tab or window is asked for. */
  #follow(event, part) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.#state.change(part);
  }

  #systemPage(span) {
    const failure = this.#failure(this.#refusal());
    const { module, error } = this.#system;
    return html`
      ${failure ? html`<section class="card">${this.#failed(failure, span)}</section>` : nothing}
      ${error ? html`<section class="card">${partError(error, () => this.#system.retry())}</section>` : module && this.#session.known ? module.systemPage(this.#partsOf(failure)) : bones(6)}
    `;
  }

  #view(span) {
    const { hits } = this.#data;
    const stack = this.#stackOf(hits);
    const refusal = this.#refusal();
    const failure = this.#failure(refusal);
    const unfiltered = this.#refused.of(this.#state.view) !== null;
    return html`
        ${this.#search(refusal, !unfiltered)}
        ${unfiltered ? withoutFilter(span, (...told) => this.tell(...told)) : nothing}
        ${this.#oneEvent()}
        ${this.#newest.said ? openingNote(this.#newest.said, (...told) => this.tell(...told)) : nothing}
        ${failure ? html`<section class="card">${this.#failed(failure, span)}</section>` : nothing}
        ${this.#isEmpty() && failure && !this.#live.feed ? this.#health(failure) : html`${this.#chart(stack)} ${this.#below(failure)}`}
        <p class="visually-hidden" role="status">${this.#announcement(hits)}</p>
    `;
  }

  /** Whether there is nothing yet to show of any view. */
  #isEmpty() {
    const { types, hits, listed } = this.#data;
    return !this.#stackOf(hits) && !types.value && !(listed?.events.length > 0);
  }

  /** The view without a filter that cannot be read. */
  get #shownView() {
    return this.#refused.shown(this.#state.view);
  }

  #below(failure) {
    const { module, error } = this.#details;
    if (error) return html`<section class="card">${partError(error, () => this.#details.retry())}</section>`;
    return module ? module.details(this.#partsOf(failure)) : html`<section class="card panels">${bones(8)}</section>`;
  }

  /** The layers go by the counts of the view: without those nothing is drawn yet. */
  #stackOf({ partial, value }) {
    const { types } = this.#data;
    const { types: chosen } = this.#state.view;
    const answer = partial ?? value;
    return answer && (types.value || types.failure) ? this.#stack(answer, this.#apart(this.#choices(types.value, chosen), chosen)) : null;
  }

  /** Whether counts may stand for the view: of another question only where the present one failed, which is said. */
  #areOfView({ partial, current, failure }) {
    return partial !== null || current || failure !== null || this.#data.following;
  }

  /** The one place that names a failure; the parts keep what they showed. */
  #failed(failure, span) {
    const { from, to } = this.#data.hits.value ?? {};
    const kept = from === undefined ? null : spanOf(toMillis(from), toMillis(to));
    const other = kept?.equals(span) ? '' : ` They are of ${wallSpan(kept ?? span).title(zoneName())}.`;
    return errorCallout(failure, () => this.#retry(), kept ? `The previous results are still shown.${other}` : '');
  }

  /** Asks for what failed, and at once whether the server is there. */
  #retry() {
    if (this.#away) this.#client.dispatchEvent(new Event('unreached'));
    this.#data.retry();
  }

  /** The failure to name, or null; a refused filter is named by the search box. */
  #failure(refusal) {
    const { failure } = this.#data;
    return (refusal || refusalOf(failure, this.#state.view.q) ? null : failure) ?? this.#away;
  }

  #heading(span) {
    return html`<h1 class="visually-hidden">${wallSpan(span).title(zoneName())}</h1>`;
  }

  #partsOf(failure) {
    const { rows: { value }, heat: { value: heat }, hits } = this.#data;
    return {
      view: this.#shownView, data: this.#data, failure, feed: this.#live.feed, client: this.#client, access: this.#session.access, query: this.#query(), addressOf: this.#addressOf,
      analysis: this.#analysis, fields: this.#fields.listed, total: (hits.partial === null && this.#areOfView(hits) && this.#stackOf(hits)?.total) || 0, marks: this.#marks(), density: this.#preferences.get('density'), wrap: this.#preferences.get('wrap') === 'on',
      stale: (task) => this.#stale(task),
      rows: value ? this.#rows(value) : null, rowTypes: value ? this.#rowTypes(value) : null, heatRows: heat ? this.#heatRows(heat) : null,
    };
  }

  #oneEvent() {
    const { event, context } = this.#state.view;
    return event ? html`<event-card .marks=${this.#marks()} .client=${this.#client} .event=${event} ?surrounded=${context} .addressOf=${this.#addressOf}></event-card>` : nothing;
  }

  /** @param {boolean} kept whether the page still shows what was there before a refusal */
  #search(refusal, kept) {
    const { q } = this.#state.view;
    const { hits, pager, types, running, stopped, filtered } = this.#data;
    const found = pager?.events.length ?? 0;
    return html`
      <div class="search-row">${sideSwitch(this.#side)}
      <search-bar .q=${q} .refusal=${refusal} ?kept=${kept} .failure=${this.#filtering.failure} .meanings=${this.#meanings} .meaningOfView=${this.#meaning.value}
        .fields=${this.#fields.known} ?knowsAll=${this.#fields.knowsAll} .types=${types.value?.types ?? NO_TYPES} .valuesOf=${this.#valuesOf} .examples=${this.#examples(this.#live.feed?.first ?? pager?.events[0])}></search-bar>
        <searches-menu .saved=${this.#searches.saved} .asked=${this.#searches.asked} ?full=${this.#searches.full}></searches-menu></div>
      ${running ? keyed(location.search, html`<search-progress .client=${this.#client} .query=${this.#query()} ?searching=${filtered && ['loading', 'more'].includes(pager?.status)} .progress=${pager?.progress} .counted=${hits.partial?.counted ?? 0} .found=${found} .at=${pager?.events.at(-1)?.time}></search-progress>`) : nothing}
      ${stopped ? stoppedNote(found, hits.current ? 1 : (hits.partial?.counted ?? 0), () => this.#data.retry()) : nothing}
    `;
  }

  #marks() {
    return this.#marksOf(this.#meaning.value);
  }

  #query() {
    const { span, types, ...view } = this.#shownView;
    return { ...span.query, type: types, ...filterOf(view) };
  }

  /** The server's complaint about the filter, or null. */
  #refusal() {
    const { hits, pager } = this.#data;
    const error = hits.status === TaskStatus.ERROR ? hits.error : pager?.error;
    return this.#refused.of(this.#state.view) ?? refusalOf(error, this.#state.view.q);
  }

  /** Events of the view's day by hour, for the strip of the day. */
  #countsOfDay() {
    const { day } = this.#data;
    return day.current ? this.#dayCounts(day.value) : null;
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
    return failure?.status === 0 || !this.#system.module ? nothing : html`
      <section class="card panels" aria-labelledby="health-title">
        <h2 id="health-title">Health</h2>
        <health-panel .client=${this.#client} .access=${this.#session.access}></health-panel>
      </section>
    `;
  }

  #chart(ofTypes) {
    const { view } = this.#state;
    const { hits, chart, underWay } = this.#data;
    // The counts by type are there anyway; all else is a question of its own.
    const task = isUsual(view) ? hits : chart;
    const stack = isUsual(view) ? ofTypes : chart.value ? this.#ownStack(chart.value) : null;
    const partial = task.value?.complete === false ? partialCounts(() => this.#data.reload()) : null;
    const dropped = task.value?.dropped ? droppedHours(task.value.dropped) : null;
    return html`<chart-section .client=${this.#client} .query=${this.#query()} .chart=${view} .stack=${stack} .drawn=${isUsual(view) ? view : (chart.value?.asked ?? view)}
      .instead=${this.#insteadOfChart(stack, task)} .notice=${partial ?? dropped} .caveat=${this.#data.following ? null : caveatOf(task)} .everySeconds=${underWay ? FOLLOW_SECONDS : null}
      ?folded=${this.#preferences.get('chart') === 'folded'} ?stale=${this.#stale(task)}></chart-section>`;
  }

  #insteadOfChart(stack, task) {
    const { hits } = this.#data;
    if (hits.value?.total === 0 && (hits.status === TaskStatus.COMPLETE || this.#data.following)) return this.#nothingHere();
    if (!isAsked(this.#state.view)) return html`<p class="hits-nothing">Choose the field whose numbers are drawn</p>`;
    if (!stack && task.stopped) return html`<p class="hits-nothing">Stopped before the counts were there</p>`;
    if (!stack && task.failure) return html`<p class="foot">Not counted</p>`;
    return stack?.layers.length === 0 && task.current ? html`<p class="hits-nothing">No numbers there</p>` : null;
  }

  #nothingHere() {
    const view = this.#shownView;
    const narrowed = this.#data.filtered || view.types.length > 0;
    const others = narrowed && view.span instanceof Hour ? (this.#countsOfDay()?.[view.span.ofDay] ?? null) : null;
    return emptyView({ view, client: this.#client, tell: (...told) => this.tell(...told), others, meaning: this.#meaning.value });
  }

  #searching() {
    const { outcome } = this.#newest;
    if (outcome instanceof Error) return errorCallout(outcome, () => this.#showLatest('settle'));
    return html`<p class="hint" role="status">Looking for the newest events…</p>${bones(6)}`;
  }

  /** Whether the answer on the page is an older one, while the current one is under way or after it failed. */
  #stale(task) {
    const waiting = task.status === TaskStatus.PENDING && !this.#data.following;
    return task.value != null && task.partial === null && (waiting || task.failure !== null || task.stopped);
  }

  #busy() {
    const { types, hits, rows, day, pager, following } = this.#data;
    return !following && (pager?.status === 'loading' || [types, hits, rows, day].some((t) => t.status === TaskStatus.PENDING));
  }

  #goHome(event) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.#state.change({ types: [], q: '', event: null, live: false, page: '', show: 'events' });
    this.#showLatest('change');
  }

  /** Not while the reader is at an event: it would go away. */
  #refreshNow() {
    if (this.#data.running || scrollY > 0 || this.querySelector('event-table')?.isUnfolded) return true;
    return this.#data.refresh(() => this.#state.settle(this.#state.renewed));
  }

  #reload() {
    this.#state.settle(this.#state.renewed);
    this.#data.reload();
  }

  async #showLatest(how) {
    if (await this.#newest.latest(how)) this.#data.reload();
  }
}

/** A page of one message. Its heading is the name of the program, unless the message has one. */
const narrowPage = (content, heading = html`<h1 class="visually-hidden">Hourglass</h1>`) => html`<main class="page page-narrow">${heading}${content}</main>`;

/** Counts of another question are never shown as if they were of this one, nor a part as if it were the whole. */
function caveatOf({ partial, value, current }) {
  if (partial) return `${percent(partial.counted)} of the time counted so far`;
  return value == null || current ? null : 'of the question before';
}

/** The types that the chart shows apart, which have colours from now on. */
function apartOf(choices, chosen) {
  const apart = typesApart(choices, chosen, APART_MAX);
  if (apart.length > 0) showTypes(apart);
  return new Set(apart);
}

/** The answer for a chart of its own, as it is drawn. */
function ownStackOf({ asked: { by, measure }, ...answer }) {
  const spanMillis = Date.parse(answer.to) - Date.parse(answer.from);
  return measure === COUNT ? stackGroups(answer, by, spanMillis, Date.now()) : linesOf(answer, by, measure, spanMillis, Date.now());
}

customElements.define('hourglass-page', HourglassPage);
