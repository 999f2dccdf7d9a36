import { Hour } from '../model/time/hour.js';

/** The reader's changes of the filter, where they take an answer of the server. */
export class Filtering {
  #host;
  #client;
  #state;
  #meanings;

  /** The clause that is being added, after those before it. */
  #adding = Promise.resolve();

  /** Why a clause was not added, or null. */
  failure = null;

  /**
   * @param {import('./view-state.js').ViewState} state whose view has the filter
   * @param {import('./filter-meanings.js').FilterMeanings} meanings
   */
  constructor(host, client, state, meanings) {
    this.#host = host;
    this.#client = client;
    this.#state = state;
    this.#meanings = meanings;
  }

  /** Shows the events of a filter; one that is the id of an event leads to that event, wherever it is in time. */
  async search(q) {
    this.failure = null;
    const { id = null } = this.#meanings.known(q) ?? {};
    const event = id === null ? null : await this.#client.event({ id }).catch(() => null);
    this.#state.change(event === null ? { ...this.#state.renewed, q } : eventAlone(event));
  }

  /** Adds a clause to the filter of the view. The server joins them, as it reads them. */
  add(clause) {
    this.#adding = this.#adding.then(() => this.#add(clause));
    return this.#adding;
  }

  async #add(clause) {
    const { q } = this.#state.view;
    this.failure = null;
    if (q === '' || this.#meanings.known(q)?.refusal) return this.search(clause);
    try {
      const joined = await this.#client.filter({ q, and: clause });
      if (this.#state.view.q !== q) return this.#add(clause);
      this.#meanings.keep(joined.q, joined);
      return this.#state.change({ ...this.#state.renewed, q: joined.q });
    } catch (error) {
      this.failure = error;
      return this.#host.requestUpdate();
    }
  }
}

/** The view of the hour of an event, with the event above all others. */
const eventAlone = ({ id, type, time }) => ({
  page: '', show: 'events', q: '', types: [], live: false, span: new Hour(Date.parse(time)), event: { id, type }, context: false,
});
