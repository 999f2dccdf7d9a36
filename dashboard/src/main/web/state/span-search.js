import { latestHour } from '../api/nearest-hour.js';
import { Hour } from '../model/time/hour.js';

/**
 * Finds the span to show where the address says none: the hour of the event that it names, else the newest one with
 * events.
 */
export class SpanSearch {
  #host;
  #client;
  #state;

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
   * Shows the newest hour that has events.
   *
   * @param {'change' | 'settle'} how as of the ViewState
   * @returns {Promise<boolean>} whether it was shown already
   */
  async latest(how) {
    if (this.outcome !== 'none') this.#become('searching');
    try {
      const hour = await latestHour(this.#client, Date.now());
      this.#become(hour ? null : 'none');
      const isThere = hour?.equals(this.#state.view.span) ?? false;
      if (hour) this.#state[how]({ span: hour });
      return isThere;
    } catch (error) {
      this.#become(error);
      return false;
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
  }
}
