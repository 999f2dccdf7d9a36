import { TaskStatus } from '@lit/task';

import { derived } from '../model/derived.js';
import { idle } from './idle.js';
import { filterOf } from './view-data.js';

/** As many as are listed; a prefix finds others. */
export const FIELDS_MAX = 200;

/** Values of a field that are proposed where the list's own few are not enough. */
const VALUES = 50;

/** Fields whose values are kept for proposals. */
const KEPT_MAX = 30;

/**
 * The fields of the view: those of its events, asked for when the counts and the first events are drawn, and those
 * without its filter, asked for when a filter is written. A question ends when the view changes.
 */
export class FieldsOfView {
  #host;
  #client;
  #data;
  #listed = new Answer();
  #unfiltered = new Answer();
  #values = new Map();
  #wanted = false;
  #byName = derived((...answers) => new Map(answers.flatMap((answer) => answer?.fields ?? []).map((field) => [field.field, field])));

  /** @param {import('./view-data.js').ViewData} data whose counts and events come first */
  constructor(host, client, data) {
    this.#host = host;
    this.#client = client;
    this.#data = data;
    host.addController(this);
  }

  hostUpdated() {
    const view = this.#data.viewOf();
    if (!view.span) return;
    const base = { ...view.span.query, type: view.types };
    const query = { ...base, ...filterOf(view), n: FIELDS_MAX };
    const filtered = this.#data.filtered;
    if (view.live) this.#listed.stop();
    else this.#listed.follow(JSON.stringify([query, this.#data.round]), this.#isCalm(), (signal) => this.#ask(query, signal), this.#tell);
    const all = { ...base, n: FIELDS_MAX };
    const asked = this.#wanted && (filtered || view.live);
    this.#unfiltered.follow(JSON.stringify([all, this.#data.round]), asked, (signal) => this.#client.fields(all, signal), this.#tell);
  }

  hostDisconnected() {
    this.#listed.stop();
    this.#unfiltered.stop();
  }

  /** The answer for the view, or for the one before while `stale`; null before the first. */
  get listed() {
    return this.#listed;
  }

  /** The fields that a filter may name, by name. */
  get known() {
    return this.#byName(this.#listed.value, this.#unfiltered.value);
  }

  /** Whether no field is missing in `known`: then a name that is not there is a slip. */
  get knowsAll() {
    const { value } = this.#data.filtered ? this.#unfiltered : this.#listed;
    return value !== null && !value.more && value.sampled === undefined;
  }

  /** Asks again what failed. */
  retry() {
    for (const answer of [this.#listed, this.#unfiltered]) if (answer.failure) answer.stop();
    this.#host.requestUpdate();
  }

  /** A filter is being written. */
  want() {
    if (this.#wanted) return;
    this.#wanted = true;
    this.#host.requestUpdate();
  }

  /** The frequent values of a field without the filter of the view, or null where they cannot be told now. */
  async valuesOf(name, signal) {
    const view = this.#data.viewOf();
    const query = { ...view.span.query, type: view.types, field: name, n: VALUES };
    const key = JSON.stringify(query);
    if (!this.#values.has(key)) {
      const values = await this.#client.top(query, signal).then((top) => top.values.map(({ value }) => value)).catch(() => null);
      if (values === null) return null;
      if (this.#values.size >= KEPT_MAX) this.#values.delete(this.#values.keys().next().value);
      this.#values.set(key, values);
    }
    return this.#values.get(key);
  }

  /** Whether the reader's first questions are answered. */
  #isCalm() {
    const { hits, pager } = this.#data;
    return hits.status === TaskStatus.COMPLETE && pager !== null && !['loading', 'more'].includes(pager.status);
  }

  /** They cost more than all else of the first view, and nobody waits for them. */
  async #ask(query, signal) {
    await idle();
    signal.throwIfAborted();
    return this.#client.fields(query, signal);
  }

  #tell = () => this.#host.requestUpdate();
}

/** The last answer to a question that changes. */
class Answer {
  #key = null;
  #running = null;

  value = null;
  failure = null;

  /** Whether the value answers an older question. */
  stale = false;

  /** Asks where the question is new and its time has come. */
  follow(key, isTime, ask, tell) {
    if (key === this.#key) return;
    this.stop();
    this.stale = this.value !== null;
    if (!isTime) return;
    this.#key = key;
    const running = new AbortController();
    this.#running = running;
    const settle = (outcome) => {
      if (running.signal.aborted) return;
      Object.assign(this, { failure: null, stale: false }, outcome);
      tell();
    };
    ask(running.signal).then((value) => settle({ value }), (failure) => settle({ failure, stale: this.value !== null }));
  }

  /** Ends a question under way; the next one is new. */
  stop() {
    this.#running?.abort();
    this.#running = null;
    this.#key = null;
  }
}
