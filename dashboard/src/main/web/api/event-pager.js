/** Events a page; the first one fills any screen and still comes at once. */
export const PAGE_EVENTS = 200;

/** Most events kept in the browser: some 100 MB of small payloads. */
export const EVENTS_MAX = 100_000;

/** The events of one view, loaded page by page along the server's cursor. */
export class EventPager {
  #client;
  #query;
  #onChange;
  #cursor = null;
  #abort = new AbortController();

  events = [];
  /** loading (first page), more (a later one), ready, error */
  status = 'loading';
  error = null;
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
  }

  /** Whether a further page can follow. */
  get hasMore() {
    return this.#cursor !== null && !this.full;
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

  /** After an error: the same page again. */
  async retry() {
    if (this.status === 'error') await this.#load(this.events.length === 0 ? 'loading' : 'more');
  }

  /** Nothing is reported after this. */
  cancel() {
    this.#abort.abort();
  }

  async #load(status) {
    this.#become(status);
    try {
      const query = { ...this.#query, limit: PAGE_EVENTS, cursor: this.#cursor };
      this.#take(await this.#client.events(query, this.#abort.signal));
      this.#become('ready');
    } catch (error) {
      this.error = error;
      this.#become('error');
    }
  }

  #take({ events, cursor = null, complete, rows }) {
    for (const event of events) this.events.push(event);
    this.#cursor = cursor;
    if (complete === false) this.missing = rows ?? {};
  }

  #become(status) {
    if (this.#abort.signal.aborted) return;
    this.status = status;
    if (status !== 'error') this.error = null;
    this.#onChange();
  }
}
