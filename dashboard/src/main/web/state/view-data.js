import { TaskStatus } from '@lit/task';

import { EventPager } from '../api/event-pager.js';
import { hitsInParts } from '../api/hits-in-parts.js';
import { COUNT, groupingOf, isAsked, isUsual } from '../model/breakdown.js';
import { derived } from '../model/derived.js';
import { heatSpan } from '../model/system/heat.js';
import { typesOfHits } from '../model/hits.js';
import { Hour } from '../model/time/hour.js';
import { lastSpan } from '../model/time/relative.js';
import { stepOf } from '../model/time/steps.js';
import { KeptTask } from './kept-task.js';
import { WhileInView } from './while-in-view.js';

/** While the view is under way its counts are asked again and again; the list of events stays as it was loaded. */
export const FOLLOW_SECONDS = 5;

/** Questions by the clock may keep the server busy for a tenth of the time at most. */
const REST_FACTOR = 10;

/** A refresh that had to wait has the next turn if it is asked for again within that time. */
const TURN_MILLIS = 3_000;

/**
 * All that the page asks the server about the view of its host. A part is asked again when what it depends on
 * changes; an answer that comes too late is dropped. After a failure, the parts still have the answers before it.
 */
export class ViewData {
  #host;
  #client;
  #tick = 0;
  #pagerKey = null;
  #restUntil = 0;
  #turnUntil = 0;

  /**
   * What the clock has asked and no change of the view has ended: its question and whether it renews the list; or null.
   */
  #run = null;

  /** Where the clock has moved a span that ends now on to, for the counts alone, and that span; or null. */
  #moved = null;

  /** Whether the clock asked for the present pager. */
  #quiet = false;

  /** The last pager that had something to show, or null. */
  #before = null;
  #types;
  #wantsDay = false;

  /** The last answer about types; null before the first. */
  #lastTypes = null;
  #typesOfHits = derived(typesOfHits);

  /** @type {EventPager | null} null without a span, and while the view is live */
  pager = null;

  /** Events of the view when its list was loaded; null while not known. */
  totalWhenListed = null;

  /** @param {() => object} viewOf the view to load; nothing is asked while it has no span */
  constructor(host, client, viewOf) {
    this.#host = host;
    this.#client = client;
    this.viewOf = viewOf;
    host.addController(this);
    new WhileInView(host, FOLLOW_SECONDS * 1000, () => this.#follow());

    const task = (keys, ask) =>
      new KeptTask(
        host,
        {
          args: () => [...keys(viewOf()), this.#tick],
          task: (_, { signal, tell }) => (viewOf().span ? ask(viewOf(), signal, tell) : null),
        },
        () => JSON.stringify(keys(viewOf())),
      );
    const span = () => this.counted?.text;
    const types = (v) => JSON.stringify(v.types);

    this.#types = task(
      (v) => [span(v), JSON.stringify(filterOf(v)), this.#hitsTellTypes],
      (v, signal) => (this.#hitsTellTypes ? null : client.types({ ...this.counted.query, ...filterOf(v) }, signal)),
    );
    this.hits = task(
      (v) => [span(v), types(v), JSON.stringify(filterOf(v))],
      (v, signal, tell) => hitsOf(client, { ...v, span: this.counted }, signal, this.following ? () => {} : tell),
    );
    this.chart = task(
      (v) => (isUsual(v) ? [] : [span(v), types(v), JSON.stringify(filterOf(v)), v.by, v.measure, v.number]),
      (v, signal) => (isUsual(v) || !isAsked(v) ? null : chartOf(client, { ...v, span: this.counted }, signal)),
    );
    this.newer = task(
      (v) => [this.counted === v.span ? null : `${v.span.to} ${span()} ${types(v)} ${JSON.stringify(filterOf(v))}`],
      (v, signal) => (this.counted === v.span ? null : newerOf(client, v, this.counted, signal)),
    );
    this.rows = task(
      (v) => [v.span?.text, types(v), wantsRows(v)],
      (v, signal) => (wantsRows(v) ? client.rows({ ...v.span.query, type: v.types }, signal) : null),
    );
    this.heat = task(
      (v) => [v.show === 'rows' && v.span && heatSpan(v.span, Date.now()).span.text, types(v)],
      (v, signal) => {
        if (v.show !== 'rows') return null;
        const shown = heatSpan(v.span, Date.now());
        return client.rows({ ...shown.span.query, type: v.types }, signal).then((answer) => ({ ...answer, shown }));
      },
    );
    this.day = task(
      (v) => [this.#needsDay && hasDay(v) && v.span?.day],
      (v, signal) => {
        if (!this.#needsDay || !hasDay(v)) return null;
        const midnight = Hour.parse(`${v.span.day}T00`);
        return client.hits({ from: midnight.from, to: midnight.plus(24).from, step: '1h', by: 'type' }, signal);
      },
    );
  }

  /** The types of the view, as a task. */
  get types() {
    const told = this.#hitsTellTypes;
    const { status, failure } = told ? this.hits : this.#types;
    const hits = this.hits.partial ?? this.hits.value;
    // Hits of chosen types say nothing about the others.
    const ofHits = hits?.asked.length === 0 ? this.#typesOfHits(hits) : null;
    this.#lastTypes = (told ? ofHits : this.#types.value) ?? this.#lastTypes;
    return { status, failure, value: this.#lastTypes };
  }

  /** The pager whose events are shown: the one before, while there is nothing of the present one but a failure. */
  get listed() {
    const { pager } = this;
    if (this.#quiet && pager?.status === 'loading') return this.#before ?? pager;
    return pager?.failure && pager.events.length === 0 ? (this.#before ?? pager) : pager;
  }

  /** The failure to name, or null: of the counts, or of the events where none of them are there. */
  get failure() {
    const ofEvents = this.pager?.events.length === 0 ? this.pager.failure : null;
    return this.hits.failure ?? this.types.failure ?? this.chart.failure ?? ofEvents;
  }

  /** The hours of the day are looked at: from now on they are counted. */
  wantDay() {
    this.#wantsDay = true;
    this.#host.requestUpdate();
  }

  /** Asks again what has failed, or was stopped. */
  retry() {
    for (const task of this.#tasks) if (task.failure || task.stopped) task.run();
    this.pager?.retry();
  }

  /** Ends all questions under way; what came of their answers stays. */
  stop() {
    for (const task of this.#tasks) task.stop();
    this.pager?.stop();
  }

  /** Whether the reader waits for counts or events. */
  get running() {
    const counts = [this.#types, this.hits, this.chart].some((t) => t.status === TaskStatus.PENDING);
    return (counts && !this.following) || ['loading', 'more'].includes(this.pager?.status);
  }

  /** Whether the reader has stopped counts or events. */
  get stopped() {
    return !this.running && ([this.#types, this.hits, this.chart].some((t) => t.stopped) || this.pager?.status === 'stopped');
  }

  /** Whether the clock started the current counts, for which no reader waits. */
  get following() {
    return this.#run !== null;
  }

  /**
   * Asks for everything again by the clock, for which no reader waits: what is there stays until the answer comes.
   *
   * @param {() => void} renew moves the view on to the present time
   * @returns {boolean} false where it has to wait and should be tried again soon
   */
  refresh(renew) {
    if (!this.#mayAsk) {
      this.#turnUntil = performance.now() + TURN_MILLIS;
      return false;
    }
    this.#turnUntil = 0;
    renew();
    this.#byClock(true, async () => {
      this.#tick++;
      this.#host.requestUpdate();
      await this.#host.updateComplete;
      await Promise.allSettled(this.#tasks.map((t) => t.taskComplete));
    });
    return true;
  }

  /** Asks for everything again. */
  reload() {
    this.#run = null;
    this.#tick++;
    this.#host.requestUpdate();
  }

  /** How often everything was asked for again. */
  get round() {
    return this.#tick;
  }

  /** Whether time is now in the span shown, or it ends now. */
  get underWay() {
    const { span, last } = this.viewOf();
    return Boolean(span) && (last !== null || span.contains(Date.now()));
  }

  /** The span that is counted: of a span that ends now, what it has become since its list was loaded. */
  get counted() {
    const { span } = this.viewOf();
    return this.#moved !== null && this.#moved.from === span ? this.#moved.to : span;
  }

  /** Events of the view that are newer than its list, as far as they are counted. */
  get received() {
    const { span } = this.viewOf();
    if (this.counted !== span) return this.newer.value?.since === span ? this.newer.value.total : 0;
    const { value, current } = this.hits;
    return current && this.totalWhenListed !== null ? value.total - this.totalWhenListed : 0;
  }

  /** Whether the view has a filter besides its types. */
  get filtered() {
    return isFiltered(this.viewOf());
  }

  /**
   * Where no type is chosen, the hits tell the types too: one reading of all events less. But there may be so many
   * types that their hits are refused.
   */
  get #hitsTellTypes() {
    const view = this.viewOf();
    return view.types.length === 0 && (isFiltered(view) || this.hits.failure === null);
  }

  /** Where nothing is found, the hour's events without types and filter are told. */
  get #needsDay() {
    return this.#wantsDay || (this.hits.current && this.hits.value.total === 0);
  }

  get #tasks() {
    return [this.#types, this.hits, this.chart, this.newer, this.rows, this.heat, this.day];
  }

  /** Not before answers under way are there, and the server has rested. */
  get #mayAsk() {
    return performance.now() >= this.#restUntil && this.#tasks.every((t) => t.status !== TaskStatus.PENDING);
  }

  #follow() {
    if (!this.underWay || !this.#mayAsk || performance.now() < this.#turnUntil) return;
    const { span, last, refresh } = this.viewOf();
    if (last !== null) {
      if (refresh !== '') return; // that renews the list too
      this.#moved = { from: span, to: lastSpan(last, Date.now()) };
    }
    this.#byClock(false, () => Promise.all(this.#tasks.map((t) => t.run())));
  }

  /** A change of the view ends what the clock asked: then the reader waits for the answers. */
  async #byClock(renewsList, ask) {
    const run = { question: questionOf(this.viewOf()), renewsList };
    this.#run = run;
    const began = performance.now();
    await ask();
    const ended = performance.now();
    this.#restUntil = ended + REST_FACTOR * (ended - began);
    if (this.#run === run) this.#run = null;
    this.#host.requestUpdate();
  }

  hostUpdate() {
    const view = this.viewOf();
    const { span, live, types, order } = view;
    if (this.#run !== null && this.#run.question !== questionOf(view)) this.#run = null;
    const query = span && !live && { ...span.query, type: types, ...filterOf(view), order };
    const key = query ? JSON.stringify([query, this.#tick]) : null;
    if (key === this.#pagerKey) return;
    this.#pagerKey = key;
    this.#quiet = this.#run?.renewsList ?? false;
    this.pager?.cancel();
    if (!query) this.#before = null;
    else if (this.pager?.events.length > 0) this.#before = this.pager;
    this.pager = query ? this.#openPager(query) : null;
    this.totalWhenListed = null;
  }

  /** Runs after the tasks' own updates: a total that is there now is that of the present view. */
  hostUpdated() {
    if (this.hits.status === TaskStatus.COMPLETE && !this.following) this.totalWhenListed ??= this.hits.value?.total ?? null;
  }

  hostDisconnected() {
    this.pager?.cancel();
  }

  #openPager(query) {
    const pager = new EventPager(this.#client, query, () => {
      if (pager.status !== 'loading') this.#quiet = false;
      if (pager.status === 'ready') this.#before = null;
      this.#host.requestUpdate();
    });
    pager.start();
    return pager;
  }
}

/** The filter of a view, as parameters. */
export const filterOf = ({ q }) => ({ q });

async function hitsOf(client, { span, types, ...view }, signal, tell) {
  const asked = (answer) => ({ ...answer, asked: types });
  return asked(await hitsInParts(client, span, stepOf(span), { type: types, ...filterOf(view) }, signal, (part) => tell(asked(part))));
}

/** How many events there are between the end of a span, `since`, and that of another. */
async function newerOf(client, { span, types, ...view }, { to }, signal) {
  const { total } = await client.hits({ from: span.to, to, step: '1h', by: 'type', type: types, ...filterOf(view) }, signal);
  return { since: span, total };
}

/** The answer for a chart of its own, with what was asked for. */
async function chartOf(client, { span, types, by, measure, number, ...view }, signal) {
  const query = { from: span.from, to: span.to, step: stepOf(span).text, type: types, ...filterOf(view), ...groupingOf(by) };
  const answer = await (measure === COUNT ? client.hits(query, signal) : client.stats({ ...query, field: number }, signal));
  return { ...answer, asked: { by, measure, number } };
}

/** All of a view that its answers depend on. */
const questionOf = ({ span, live, types, order, show, by, measure, number, ...view }) =>
  JSON.stringify([span?.text, live, types, filterOf(view), order, show, by, measure, number]);

const isFiltered = ({ q }) => q !== '';
const hasDay = (v) => v.span?.isWithinDay !== false;

/** Rows may be many: they are asked for when they are to be listed. */
const wantsRows = (v) => v.show === 'rows' || v.show === 'planner';
