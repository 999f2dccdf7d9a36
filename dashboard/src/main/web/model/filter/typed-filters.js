/** What was typed for a filter, so that Back shows it as it was written. */

const KEPT_MAX = 50;

export class TypedFilters {
  #texts = new Map();

  keep(filter, text) {
    const key = keyOf(filter);
    this.#texts.delete(key);
    this.#texts.set(key, text);
    if (this.#texts.size > KEPT_MAX) this.#texts.delete(this.#texts.keys().next().value);
  }

  /** The text that was typed for it, or undefined. */
  textFor(filter) {
    return this.#texts.get(keyOf(filter));
  }
}

const keyOf = ({ contains, where }) => JSON.stringify([contains, where]);
