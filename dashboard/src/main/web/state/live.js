import { Hour } from '../model/time/hour.js';
import { LiveFeed } from './live-feed.js';
import { filterOf } from './view-data.js';

/** Keeps a tail running while the view is live, and the view at the hour that it is. */
export class Live {
  #host;
  #client;
  #state;
  #refused;
  #key = null;

  /** @type {LiveFeed | null} */
  feed = null;

  /**
   * @param {import('./view-state.js').ViewState} state whose view says whether it is live, and its selection
   * @param {import('./refused-filter.js').RefusedFilter} refused a filter that is left out
   */
  constructor(host, client, state, refused) {
    this.#host = host;
    this.#client = client;
    this.#state = state;
    this.#refused = refused;
    host.addController(this);
  }

  hostUpdate() {
    const { live, span, types, ...view } = this.#refused.shown(this.#state.view);
    if (live && !span?.contains(Date.now())) this.#state.settle({ span: new Hour(Date.now()) });
    const query = { type: types, ...filterOf(view) };
    const key = live ? JSON.stringify(query) : null;
    if (key === this.#key) return;
    this.#key = key;
    this.feed?.stop();
    this.feed = live ? new LiveFeed(this.#host, this.#client, query) : null;
  }

  hostDisconnected() {
    this.feed?.stop();
    this.feed = this.#key = null;
  }
}
