import { Task, TaskStatus } from '@lit/task';

import { EventPager } from '../api/event-pager.js';
import { Hour } from '../model/hour.js';
import { WhileInView } from './while-in-view.js';

/** While the hour is under way its counts are asked again and again; the list of events stays as it was loaded. */
export const FOLLOW_SECONDS = 5;

/**
 * All that the page asks the server about the view of its host. A part is asked again when what it depends on
 * changes; an answer that comes too late is dropped.
 */
export class HourData {
  #host;
  #client;
  #tick = 0;
  #pagerKey = null;

  /** @type {EventPager | null} */
  pager = null;

  /** Whether the counts are being asked again by the clock: nobody waits for that. */
  following = false;

  /** Events of the view when its list was loaded; null while not known. */
  totalWhenListed = null;

  /** @param {() => object} viewOf the view to load; nothing is asked while it has no hour */
  constructor(host, client, viewOf) {
    this.#host = host;
    this.#client = client;
    this.viewOf = viewOf;
    host.addController(this);
    new WhileInView(host, FOLLOW_SECONDS * 1000, () => this.#follow());

    const task = (args, ask) =>
      new Task(host, {
        args: () => [...args(viewOf()), this.#tick],
        task: ([hour, ...rest], { signal }) => (hour ? ask(Hour.parse(hour), rest, signal) : null),
      });
    const hour = (v) => v.hour?.text;
    const types = (v) => JSON.stringify(v.types);

    this.types = task((v) => [hour(v)], (h, _, signal) => client.types(range(h), signal));
    this.hits = task(
      (v) => [hour(v), types(v)],
      (h, [chosen], signal) => client.hits({ ...range(h), step: '1m', type: JSON.parse(chosen) }, signal),
    );
    this.rows = task(
      (v) => [hour(v), types(v)],
      (h, [chosen], signal) => client.rows({ hour: h.text, type: JSON.parse(chosen) }, signal),
    );
    this.day = task(
      (v) => [v.hour && `${v.hour.day}T00`],
      (midnight, _, signal) =>
        client.hits({ from: midnight.from, to: midnight.plus(24).from, step: '1h' }, signal),
    );
  }

  /** Asks for everything again. */
  reload() {
    this.#tick++;
    this.#host.requestUpdate();
  }

  /** Whether time is now in the hour shown. */
  get underWay() {
    return this.viewOf().hour?.contains(Date.now()) ?? false;
  }

  async #follow() {
    const tasks = [this.types, this.hits, this.rows, this.day];
    const settled = tasks.every((t) => t.status !== TaskStatus.PENDING);
    if (!this.underWay || !settled) return;
    this.following = true;
    await Promise.all(tasks.map((t) => t.run()));
    this.following = false;
    this.#host.requestUpdate();
  }

  hostUpdate() {
    const { hour, types, order } = this.viewOf();
    const key = hour && JSON.stringify([hour.text, types, order, this.#tick]);
    if (key === this.#pagerKey) return;
    this.#pagerKey = key;
    this.pager?.cancel();
    this.pager = hour && this.#openPager({ hour: hour.text, type: types, order });
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
    const pager = new EventPager(this.#client, query, () => this.#host.requestUpdate());
    pager.start();
    return pager;
  }
}

const range = (hour) => ({ from: hour.from, to: hour.to });
