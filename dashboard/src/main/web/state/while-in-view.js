/** Does something again and again, and at once when the page comes into view; never while the page is hidden or the host is not part of it. */
export class WhileInView {
  #everyMillis;
  #act;
  #timer;

  /** @param {() => void} act what to do; the first time when `everyMillis` have passed, since the host knows what it needs to begin with */
  constructor(host, everyMillis, act) {
    this.#everyMillis = everyMillis;
    this.#act = act;
    host.addController(this);
  }

  hostConnected() {
    this.#timer = setInterval(this.#ifVisible, this.#everyMillis);
    document.addEventListener('visibilitychange', this.#ifVisible);
  }

  hostDisconnected() {
    clearInterval(this.#timer);
    document.removeEventListener('visibilitychange', this.#ifVisible);
  }

  #ifVisible = () => {
    if (document.visibilityState === 'visible') this.#act();
  };
}
