import { REFRESHES } from '../model/time/refresh.js';

/** Refreshes the view of its host by the clock that the view names, while the page is visible and the host lets it. */
export class Refresh {
  #viewOf;
  #act;
  #timer;
  #asked = '';

  /** @param {() => void} act what to do; the host looks for itself whether now is a time for it */
  constructor(host, viewOf, act) {
    this.#viewOf = viewOf;
    this.#act = act;
    host.addController(this);
  }

  hostUpdate() {
    const { refresh, live } = this.#viewOf();
    const asked = live ? '' : refresh;
    if (asked === this.#asked) return;
    this.#asked = asked;
    clearInterval(this.#timer);
    if (asked) this.#timer = setInterval(() => document.visibilityState === 'visible' && this.#act(), REFRESHES[asked].millis);
  }

  hostDisconnected() {
    clearInterval(this.#timer);
    this.#asked = '';
  }
}
