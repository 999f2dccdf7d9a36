import { accessOf } from '../model/access.js';
import { derived } from '../model/derived.js';

/** The key that the reader has signed in with. The page works without an answer: a key is asked for when one is needed. */
export class Session {
  #host;
  #client;
  #asked = false;
  #accessOf = derived(accessOf);

  /** `{name, scopes, types}`, or null where the server has no keys or has not said yet. */
  key = null;

  /** Whether the server has said whose key there is, or that it has none, or could not. */
  known = false;

  /** Why signing out failed, or null. */
  failure = null;

  constructor(host, client) {
    this.#host = host;
    this.#client = client;
    host.addController(this);
    client.lock.addEventListener('locked', () => host.requestUpdate());
  }

  /** Behind the first questions of the page, which do not wait for it. */
  hostUpdated() {
    if (this.#asked) return;
    this.#asked = true;
    this.#look()
      .catch((error) => error.status === 401 && this.#client.lock.close())
      .finally(() => this.#become({ known: !this.locked }));
  }

  /** Whether the server asks for a key. */
  get locked() {
    return this.#client.lock.closed;
  }

  /** What the key lacks, from model/access.js. */
  get access() {
    return this.#accessOf(this.key);
  }

  /** Fails with the reason where the secret is none of a key. */
  async signIn(secret) {
    const before = this.key;
    await this.#client.signIn(secret);
    await this.#look();
    // What another key was shown is not for this one.
    if (before && before.name !== this.key?.name) location.reload();
    this.#client.lock.open();
    this.#host.requestUpdate();
  }

  /** Nothing that was shown stays. */
  async signOut() {
    try {
      await this.#client.signOut();
      location.reload();
    } catch (failure) {
      this.#become({ failure });
    }
  }

  async #look() {
    this.#become({ key: await this.#client.session(), known: true });
  }

  #become(state) {
    Object.assign(this, state);
    this.#host.requestUpdate();
  }
}
