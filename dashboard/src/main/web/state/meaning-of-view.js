/** What the filter of the view means; asked beside the first questions of the view. */
export class MeaningOfView {
  #host;
  #meanings;
  #filterOf;
  #q = '';
  #asked = null;

  /**
   * @param {import('./filter-meanings.js').FilterMeanings} meanings
   * @param {() => string} filterOf the filter of the view
   */
  constructor(host, meanings, filterOf) {
    this.#host = host;
    this.#meanings = meanings;
    this.#filterOf = filterOf;
    host.addController(this);
  }

  /** As of FilterMeanings; null while it is not known. */
  get value() {
    return this.#meanings.known(this.#filterOf());
  }

  hostUpdate() {
    const q = this.#filterOf();
    if (q === this.#q) return;
    this.#q = q;
    this.#asked?.abort();
    if (this.value !== null) return;
    this.#asked = new AbortController();
    const { signal } = this.#asked;
    // Without an answer nothing is marked; the questions of the view show what fails.
    this.#meanings.of(q, signal).then(() => signal.aborted || this.#host.requestUpdate(), () => {});
  }

  hostDisconnected() {
    this.#asked?.abort();
    this.#q = '';
  }
}
