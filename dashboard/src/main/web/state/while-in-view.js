/**
 * Repeats an action while the page is visible and the host is part of it, and runs it at once when the page becomes
 * visible.
 */
export class WhileInView {
  #everyMillis;
  #act;
  #timer;

  /**
   * @param {() => void} act the action; first run when `everyMillis` have passed, since the host knows what it needs to
   * begin with
   */
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
