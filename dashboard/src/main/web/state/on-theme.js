/**
 * Does something when colours change, by the switch of the page or by that of the system: a canvas does not follow by
 * itself.
 */
export class OnTheme {
  #act;
  #scheme = null;

  constructor(host, act) {
    this.#act = act;
    host.addController(this);
  }

  hostConnected() {
    this.#scheme = matchMedia('(prefers-color-scheme: dark)');
    addEventListener('themechange', this.#act);
    this.#scheme.addEventListener('change', this.#act);
  }

  hostDisconnected() {
    removeEventListener('themechange', this.#act);
    this.#scheme.removeEventListener('change', this.#act);
  }
}
