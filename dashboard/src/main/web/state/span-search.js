import { newestMillis } from '../api/nearest-hour.js';
import { Hour } from '../model/time/hour.js';
import { AHEAD_MILLIS, openingOf } from '../model/time/opening.js';

/**
 * Finds the span to show where the address says none: the hour of the event that it names, else where the newest events
 * are.
 */
export class SpanSearch {
  #host;
  #client;
  #state;
  #opening = null;

  /** Its state: null (not begun, or found), 'searching', 'none' (the store is empty), or an error. */
  outcome = null;

  /** @param {import('./view-state.js').ViewState} state whose view gets the span */
  constructor(host, client, state) {
    this.#host = host;
    this.#client = client;
    this.#state = state;
    host.addController(this);
  }

  hostUpdate() {
    const { span, badTime, event } = this.#state.view;
    if (!span && !badTime && this.outcome === null) this.#find(event);
  }

  /**
   * What is to be said of the span that was found, from openingOf; null where that is nothing, or another one is shown.
   */
  get said() {
    const { part, old, ahead } = this.#opening ?? {};
    const { span, last, live } = this.#state.view;
    const isShown = part && !live && last === part.last && (last !== null || part.span.equals(span));
    return isShown && (old !== null || ahead !== null) ? this.#opening : null;
  }

  /**
   * Shows the span where the newest events are.
   *
   * @param {'change' | 'settle'} how as of the ViewState
   * @returns {Promise<boolean>} whether it was shown already
   */
  async latest(how) {
    if (this.outcome !== 'none') this.#become('searching');
    try {
      const now = Date.now();
      const newest = await newestMillis(this.#client);
      if (newest === null) return this.#become('none');
      const past = newest > now + AHEAD_MILLIS ? await newestMillis(this.#client, now) : newest;
      this.#opening = openingOf(newest, past, now);
      this.#become(null);
      const { part } = this.#opening;
      const isThere = part.span.equals(this.#state.view.span);
      this.#state[how](part);
      return isThere;
    } catch (error) {
      return this.#become(error);
    }
  }

  async #find(event) {
    if (!event) return this.latest('settle');
    this.#become('searching');
    try {
      const { time } = await this.#client.event(event);
      this.outcome = null;
      return this.#state.settle({ span: new Hour(Date.parse(time)) });
    } catch {
      return this.latest('settle'); // the event's place on the page shows its error
    }
  }

  #become(outcome) {
    this.outcome = outcome;
    this.#host.requestUpdate();
    return false;
  }
}
