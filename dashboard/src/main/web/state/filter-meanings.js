import { refusalIn } from '../model/filter/refusal.js';

/** As many as a reader comes back to. */
const KEPT_MAX = 100;

const NOTHING = Object.freeze({ language: 'none', where: '', word: [], type: [], id: null, parts: [], fields: [], marks: [], refusal: null });
const EMPTY = Object.freeze({ q: '', ...NOTHING });

/**
 * What filters mean. The server reads them; the page keeps its answers, which never change.
 *
 * @typedef {{q: string, language: 'none' | 'words' | 'cel', where: string, word: string[], type: string[], id: string | null,
 *     parts: {from: number, to: number}[], fields: {field: string, from: number, to: number}[],
 *     marks: {field: string, text: string, whole: boolean, words: boolean}[], refusal: import('../model/filter/refusal.js').Refusal | null}} Meaning
 *     `refusal`: why the filter cannot be read, or null; `where` and what follows are as in the answer of /api/v1/filter
 */
export class FilterMeanings {
  #client;
  #kept = new Map();

  /** @param {import('../api/client.js').Client} client */
  constructor(client) {
    this.#client = client;
  }

  /** @returns {Meaning | null} null while it is not known */
  known(q) {
    return q === '' ? EMPTY : (this.#kept.get(q) ?? null);
  }

  /** @returns {Promise<Meaning>} rejected where the server does not say */
  async of(q, signal) {
    return this.known(q) ?? this.keep(q, await this.#ask(q, signal));
  }

  /** Keeps an answer of the server for the text that it is about. */
  keep(q, answer) {
    const meaning = { ...NOTHING, ...answer };
    this.#kept.delete(q);
    this.#kept.set(q, meaning);
    if (this.#kept.size > KEPT_MAX) this.#kept.delete(this.#kept.keys().next().value);
    return meaning;
  }

  async #ask(q, signal) {
    const answer = await this.#client.reading(q, signal);
    return answer.reason === undefined ? answer : { q, refusal: refusalIn(answer, q) };
  }
}
