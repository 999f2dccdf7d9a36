import { HOUR_MILLIS } from '../model/time/hour.js';
import { Range } from '../model/time/range.js';

/** A shorter span is one question. */
const PARTED_FROM_MILLIS = 3 * HOUR_MILLIS;

/** The first part is this share of the span, and not shorter than an hour: the store has a row for each hour. */
const FIRST_PARTS = 16;

/** How long a part may take: it is as long as the one before it makes likely, but not more than so many times. */
const PART_MILLIS = 400;
const GROWTH_MAX = 8;

/**
 * The counts of a span by type, as `/hits` answers them. Those of a long span are asked for in parts, the newest first:
 * so they are seen to grow, and each part has the time limit of a request to itself.
 *
 * @param {import('./client.js').Client} client
 * @param {{millis: number, text: string}} step
 * @param query the types and the filter
 * @param {(answer: object) => void} onPart called with the counts so far; `counted` is their share of the span
 * @returns an answer with `from`, `to`, `step_ms`, `series`, `total`, `complete`, and `dropped` if hours were dropped
 */
export async function hitsInParts(client, span, step, query, signal, onPart) {
  const ask = (part) => client.hits({ from: part.from, to: part.to, step: step.text, by: 'type', ...query }, signal);
  if (span.lengthMillis < PARTED_FROM_MILLIS) return ask(span);
  const sum = new Sum(span, step);
  let length = Math.max(span.lengthMillis / FIRST_PARTS, HOUR_MILLIS);
  for (;;) {
    const part = sum.next(length);
    const began = performance.now();
    sum.add(part, await ask(part));
    if (sum.isWhole) return sum.answer;
    onPart(sum.answer);
    length = part.lengthMillis * Math.min(GROWTH_MAX, PART_MILLIS / Math.max(1, performance.now() - began));
  }
}

/** Counts of the end of a span. */
class Sum {
  #span;
  #step;
  #series = new Map();
  #total = 0;
  #complete = true;
  /** The dropped hours of the parts, the oldest first. */
  #dropped = [];
  #from;

  constructor(span, step) {
    this.#span = span;
    this.#step = step;
    this.#from = span.toMillis;
  }

  get isWhole() {
    return this.#from === this.#span.fromMillis;
  }

  get answer() {
    const { from, to, toMillis, lengthMillis } = this.#span;
    const series = [...this.#series].map(([type, counts]) => ({ type, counts: counts.slice() }));
    const dropped = this.#dropped.length > 0 ? { dropped: this.#dropped } : {};
    return { from, to, step_ms: this.#step.millis, series, total: this.#total, complete: this.#complete, ...dropped, counted: (toMillis - this.#from) / lengthMillis };
  }

  /** The part before those that are here, of about that length: it begins where a step of the span does. */
  next(lengthMillis) {
    const { fromMillis } = this.#span;
    const steps = Math.floor((this.#from - lengthMillis - fromMillis) / this.#step.millis);
    return new Range(fromMillis + Math.max(0, steps) * this.#step.millis, this.#from);
  }

  add(part, { series, total, complete, dropped = [] }) {
    const first = (part.fromMillis - this.#span.fromMillis) / this.#step.millis;
    for (const { type, counts } of series) {
      if (!this.#series.has(type)) this.#series.set(type, new Array(Math.ceil(this.#span.lengthMillis / this.#step.millis)).fill(0));
      const all = this.#series.get(type);
      counts.forEach((n, i) => (all[first + i] += n));
    }
    this.#total += total;
    if (complete === false) this.#complete = false;
    this.#dropped = [...new Set([...dropped, ...this.#dropped])];
    this.#from = part.fromMillis;
  }
}
