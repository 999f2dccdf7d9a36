/** The status of a module that could not be loaded, among those of answers. */
export const NOT_LOADED = -2;

/** A module that is loaded when it is first wanted. */
export class Lazy {
  #host;
  #load;
  #begun = false;
  #module = null;

  /** Why it could not be loaded, or null. */
  error = null;

  /** @param {() => Promise<object>} load */
  constructor(host, load) {
    this.#host = host;
    this.#load = load;
  }

  /** The module, or null while it is on its way or could not be loaded. */
  get module() {
    if (!this.#begun) this.retry();
    return this.#module;
  }

  /** Resolves once it is there, or could not be loaded. */
  get loaded() {
    return this.#module ? Promise.resolve() : this.retry();
  }

  async retry() {
    this.#begun = true;
    this.error = null;
    try {
      this.#module = await this.#load();
    } catch (error) {
      this.error = Object.assign(error, { status: NOT_LOADED });
    }
    this.#host.requestUpdate();
  }
}
