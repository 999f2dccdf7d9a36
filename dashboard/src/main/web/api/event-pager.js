import { parseExact } from './exact-json.js';

/** Events a page: enough for any screen, and still quick. */
export const PAGE_EVENTS = 200;

/** Most events kept in the browser: some 100 MB of small payloads. */
export const EVENTS_MAX = 100_000;

/**
 * The events of one view, loaded page by page along the server's cursor. With a filter a page may have to be searched
 * for through all of the span: its events are then taken as they are found, from a stream that is left once the page is
 * full.
 */
export class EventPager {
  #client;
  #query;
  #onChange;
  #cursor = null;
  #streams;
  #abort = new AbortController();
  /** Of the page under way. */
  #stop = new AbortController();

  events = [];
  /** loading (first page), more (a later one), ready, stopped, error */
  status = 'loading';
  /** Of the search under way: the rows of the question, and how many of them are read; null while not known. */
  progress = null;
  error = null;
  /** The last error, also while the page is asked for again; null once there is an answer. */
  failure = null;
  /** When the end was reached, in milliseconds since 1970; null before. Later events may have come since. */
  endedAtMillis = null;
  /** Rows asked and answered, of the last page that was not whole; null while all were. */
  missing = null;

  /**
   * @param query as for `client.events`, without limit and cursor
   * @param {() => void} onChange called after each change of state
   */
  constructor(client, query, onChange) {
    this.#client = client;
    this.#query = query;
    this.#onChange = onChange;
    this.#streams = Boolean(query.q);
  }

  /** Whether a further page can follow. */
  get hasMore() {
    return this.endedAtMillis === null && !this.full;
  }

  get full() {
    return this.events.length >= EVENTS_MAX;
  }

  start() {
    return this.#load('loading');
  }

  /** Loads the next page unless one is under way or none is left. */
  async more() {
    if (this.status === 'ready' && this.hasMore) await this.#load('more');
  }

  /** After an error or a stop: the same page again, or the rest of it. */
  async retry() {
    if (this.status === 'error' || this.status === 'stopped') await this.#load(this.events.length === 0 ? 'loading' : 'more');
  }

  /** Ends the page under way; what came of it stays. */
  stop() {
    this.#stop.abort();
  }

  /** Nothing is reported after this. */
  cancel() {
    this.#abort.abort();
  }

  async #load(status) {
    this.#stop = new AbortController();
    this.progress = null;
    this.#become(status);
    const signal = AbortSignal.any([this.#abort.signal, this.#stop.signal]);
    try {
      await (this.#streams ? this.#search(signal) : this.#turn(signal));
      this.#become('ready');
    } catch (error) {
      if (this.#stop.signal.aborted) return this.#become('stopped');
      if (this.#streams && error.bound) {
        this.#streams = false; // the whole query is too costly; a page only pays for itself
        return this.#load(status);
      }
      this.error = error;
      this.#become('error');
    }
  }

  async #turn(signal) {
    const { events, cursor = null, complete, rows } = await this.#client.events({ ...this.#query, limit: PAGE_EVENTS, cursor: this.#cursor }, signal);
    for (const event of events) this.events.push(event);
    this.#cursor = cursor;
    if (cursor === null) this.#end();
    if (complete === false) this.missing = rows ?? {};
  }

  async #search(signal) {
    const full = this.events.length + PAGE_EVENTS;
    const last = this.events.at(-1);
    // An abandoned stream has no cursor; the last event gives one.
    const cursor = last ? await this.#client.cursorBehind(last, this.#query, signal) : null;
    if (last && cursor === null) return this.#end();
    let rest = '';
    for await (const text of await this.#client.eventLines({ ...this.#query, cursor }, signal)) {
      const lines = (rest + text).split('\n');
      rest = lines.pop();
      for (const line of lines) {
        if (this.events.length === full) return undefined;
        if (line !== '') this.#take(parseExact(line));
      }
      if (lines.length > 0) this.#become(this.status);
    }
    return this.#end();
  }

  /** An event, or a line of progress. */
  #take(said) {
    if (said.progress) this.progress = { asked: said.progress.rows_asked, answered: said.progress.rows_answered };
    else this.events.push(said);
  }

  #end() {
    this.endedAtMillis = Date.now();
  }

  #become(status) {
    if (this.#abort.signal.aborted) return;
    this.status = status;
    if (status !== 'error') this.error = null;
    if (status === 'error') this.failure = this.error;
    if (status === 'ready') this.failure = null;
    this.#onChange();
  }
}
