import { SseParser } from './sse.js';

/** The server sends a message every 15 s: a longer silence means a lost connection. */
const SILENCE_MILLIS_MAX = 45_000;

/** Pauses before it tries again: short at first, since a restart takes seconds. */
const PAUSE_MILLIS = 500;
const PAUSE_MILLIS_MAX = 10_000;

/** Questions that are refused today are refused tomorrow. */
const REFUSED = new Set([400, 403, 404, 405, 505]);

/** The live tail of a selection, over any number of connections: each continues where the last one ended. */
export class Tail {
  #client;
  #query;
  #begin;
  #listener;
  #parser = new SseParser();
  #since = null;
  #pauseMillis = PAUSE_MILLIS;
  #abort = new AbortController();

  /** connecting, live, away (it tries again), refused (it does not) */
  status = 'connecting';
  error = null;

  /**
   * @param query types and filter, as parameters
   * @param {(signal: AbortSignal) => Promise<string>} begin returns the start time; called until it succeeds once
   * @param {{onMessages: (messages: {event: string, data: string}[]) => void, onChange: () => void}} listener hears of messages in
   *     order, each once, and of changes of the status
   */
  constructor(client, query, begin, listener) {
    this.#client = client;
    this.#query = query;
    this.#begin = begin;
    this.#listener = listener;
  }

  /** Runs until it is stopped or refused. */
  async run() {
    const { signal } = this.#abort;
    while (!signal.aborted) {
      try {
        await this.#connect();
        this.#become('away', null); // a server that stops ends its tails, cleanly
      } catch (error) {
        if (signal.aborted) return;
        if (REFUSED.has(error.status)) return this.#become('refused', error);
        this.#become('away', error);
      }
      await this.#pause(signal);
    }
  }

  /** Nothing is heard of it after this. */
  stop() {
    this.#abort.abort();
  }

  async #connect() {
    const connection = new AbortController();
    const signal = AbortSignal.any([this.#abort.signal, connection.signal]);
    let silence = setTimeout(() => connection.abort(), SILENCE_MILLIS_MAX);
    try {
      // The time stays the same until there is a position, so that no event between two connections is lost.
      this.#since ??= await this.#begin(signal);
      this.#parser.reset();
      const pieces = await this.#client.tail({ ...this.#query, since: this.#since }, this.#parser.lastId, signal);
      this.#pauseMillis = PAUSE_MILLIS;
      this.#become('live', null);
      for await (const text of pieces) {
        if (this.#abort.signal.aborted) return;
        clearTimeout(silence);
        silence = setTimeout(() => connection.abort(), SILENCE_MILLIS_MAX);
        this.#listener.onMessages(this.#parser.push(text));
      }
    } finally {
      clearTimeout(silence);
    }
  }

  async #pause(signal) {
    if (signal.aborted) return;
    const asked = (this.error?.retryAfterSeconds ?? 0) * 1000;
    const millis = Math.max(asked, this.#pauseMillis);
    this.#pauseMillis = Math.min(PAUSE_MILLIS_MAX, 2 * this.#pauseMillis);
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, millis);
      signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
    });
  }

  #become(status, error) {
    if (this.#abort.signal.aborted) return;
    this.status = status;
    this.error = error;
    this.#listener.onChange();
  }
}
