import { REFRESHES } from '../model/time/refresh.js';

/** What had to wait is tried again after that. */
const AGAIN_MILLIS = 1_000;

/** Refreshes the view of its host by the clock that the view names, while the page is visible and the host lets it. */
export class Refresh {
  #viewOf;
  #act;
  #timer;
  #asked = '';

  /**
   * @param {() => boolean | void} act what to do; the host looks for itself whether now is a time for it; false to be
   * asked again soon
   */
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
    clearTimeout(this.#timer);
    if (asked) this.#wait(REFRESHES[asked].millis);
  }

  hostDisconnected() {
    clearTimeout(this.#timer);
    this.#asked = '';
  }

  #wait(millis) {
    this.#timer = setTimeout(() => {
      const waits = document.visibilityState === 'visible' && this.#act() === false;
      this.#wait(waits ? AGAIN_MILLIS : REFRESHES[this.#asked].millis);
    }, millis);
  }
}
