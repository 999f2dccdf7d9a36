/**
 * Holds the requests that the server refuses without a key, until the reader has signed in; then they are sent again.
 * Sends `locked` with the first refusal.
 */
export class Lock extends EventTarget {
  /** How often it was opened: an answer from before says nothing about now. */
  #openings = 0;

  /** What goes on when it is opened; null while it is open. */
  #waiting = null;

  /** @param {() => Promise<Response>} send  @returns the first answer that is no refusal */
  async pass(send, signal) {
    for (;;) {
      const before = this.#openings;
      const response = await send();
      if (response.status !== 401) return response;
      response.body?.cancel().catch(() => {}); // nobody reads it
      if (before === this.#openings) await this.#wait(signal);
    }
  }

  /** Whether requests wait. */
  get closed() {
    return this.#waiting !== null;
  }

  close() {
    if (this.closed) return;
    this.#waiting = new Set();
    this.dispatchEvent(new Event('locked'));
  }

  open() {
    this.#openings++;
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    for (const go of waiting) go();
  }

  /** Until it is open, or the request is given up. */
  async #wait(signal) {
    this.close();
    await new Promise((go, giveUp) => {
      this.#waiting.add(go);
      signal?.addEventListener('abort', () => (this.#waiting?.delete(go), giveUp(signal.reason)), { once: true });
      if (signal?.aborted) giveUp(signal.reason);
    });
  }
}
