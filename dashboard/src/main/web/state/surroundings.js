/** Events that are added at an end at a time, and the most that are kept. */
export const STEP = 20;
export const EVENTS_MAX = 1_000;

/** An event among its neighbours in time, oldest first; more of them come at either end on demand. */
export class Surroundings {
  #client;
  #event;
  #type;
  #onChange;
  #abort = new AbortController();
  #last = 'loading';

  /** The question under way or the last one; never rejected. */
  #asking = null;

  /** Cursors beyond the ends; null where nothing follows. */
  #cursors = { before: null, after: null };

  events = [];
  /** loading, before or after (more at that end), ready, error */
  status = 'loading';
  error = null;

  /**
   * @param {{id: string, type: string}} event
   * @param {boolean} sameType whether only events of its type are neighbours
   * @param {() => void} onChange called after each change of state
   */
  constructor(client, event, sameType, onChange) {
    this.#client = client;
    this.#event = event;
    this.#type = sameType ? event.type : null;
    this.#onChange = onChange;
  }

  /** Whether more can follow at an end: `before` or `after`. */
  hasMore(end) {
    return this.#cursors[end] !== null && this.events.length < EVENTS_MAX;
  }

  isItself({ id, type }) {
    return id === this.#event.id && type === this.#event.type;
  }

  /** Asks for the event and its nearest neighbours. */
  start() {
    return this.#ask('loading', async (signal) => {
      const { id } = this.#event;
      const { events, cursor = null, previous = null } = await this.#client.around({ id, type: this.#type ?? undefined, limit: 2 * STEP }, signal);
      this.events = events;
      this.#cursors = { before: previous, after: cursor };
    });
  }

  /** More events at an end, after those of the other end that are under way. */
  async more(end) {
    const other = end === 'before' ? 'after' : 'before';
    if (this.status === other) await this.#asking;
    if (this.status !== 'ready' || !this.hasMore(end)) return;
    await this.#ask(end, async (signal) => {
      const order = end === 'before' ? 'desc' : 'asc';
      const { events, cursor = null } = await this.#client.events({ type: this.#type, order, cursor: this.#cursors[end], limit: STEP }, signal);
      this.events = end === 'before' ? [...events.toReversed(), ...this.events] : [...this.events, ...events];
      this.#cursors[end] = cursor;
    });
  }

  /** After an error: the same again. */
  retry() {
    return this.#last === 'loading' ? this.start() : this.more(this.#last);
  }

  /** Nothing is reported after this. */
  cancel() {
    this.#abort.abort();
  }

  #ask(status, ask) {
    this.#last = status;
    this.#become(status, null);
    this.#asking = ask(this.#abort.signal).then(
      () => this.#become('ready', null),
      (error) => this.#become(this.events.length > 0 ? 'ready' : 'error', error),
    );
    return this.#asking;
  }

  #become(status, error) {
    if (this.#abort.signal.aborted) return;
    this.status = status;
    this.error = error;
    this.#onChange();
  }
}
