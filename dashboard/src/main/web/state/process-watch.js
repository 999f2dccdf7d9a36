import { describeSources } from '../model/system/sources.js';
import { describeStore } from '../model/system/store.js';
import { parseMetrics } from '../model/system/metrics.js';
import { WhileInView } from './while-in-view.js';

/** A rate over less jumps; over more it lags behind. */
const EVERY_MILLIS = 2_000;

/** A rate over looks further apart, as when the page was hidden, is none of now. */
const APART_MILLIS_MAX = 3 * EVERY_MILLIS;

/** Looks at the serving process again and again while its host is in view. Each question fails for itself. */
export class ProcessWatch {
  #host;
  #client;
  #questions;
  #asking = null;

  /**
   * The last facts of the metrics, from describeSources and, as `store`, describeStore; null before the first answer.
   */
  look = null;

  /** The look before that, or null where rates between the two would be none of now. */
  before = null;

  /** The names of the questions that were asked the last time; empty before. */
  asked = [];

  /** By name of a question its last answer: `metrics`, `health` and others. */
  answers = {};

  /** By name of a question the error that it met the last time; nothing where it was answered. */
  errors = {};

  /**
   * @param {() => import('../api/client.js').Client} client
   * @param {Record<string, (client, signal: AbortSignal) => Promise | null>} questions by name, `metrics` among them; health is
   *     always asked. A question that gives null is not asked.
   */
  constructor(host, client, questions) {
    this.#host = host;
    this.#client = client;
    this.#questions = { ...questions, health: (client, signal) => client.health(signal) };
    host.addController(this);
    new WhileInView(host, EVERY_MILLIS, () => this.ask());
  }

  hostUpdated() {
    if (Object.keys(this.answers).length + Object.keys(this.errors).length === 0) this.ask();
  }

  hostDisconnected() {
    this.#asking?.abort();
    this.#asking = null;
  }

  async ask() {
    if (this.#asking) return;
    const asking = new AbortController();
    this.#asking = asking;
    const asked = Object.entries(this.#questions).map(([name, ask]) => [name, ask(this.#client(), asking.signal)]).filter(([, answer]) => answer);
    const outcomes = await Promise.allSettled(asked.map(([, answer]) => answer));
    if (asking.signal.aborted) return;
    this.#asking = null;
    this.asked = asked.map(([name]) => name);
    this.asked.forEach((name, i) => this.#take(name, outcomes[i]));
    this.#host.requestUpdate();
  }

  #take(name, { status, value, reason }) {
    if (status === 'rejected') {
      this.errors[name] = reason;
      return;
    }
    delete this.errors[name];
    this.answers[name] = value;
    if (name === 'metrics') this.#turnTo(lookAt(value));
  }

  #turnTo(look) {
    const apart = this.look ? look.atMillis - this.look.atMillis : Infinity;
    if (apart < EVERY_MILLIS / 2) return; // called by the clock and by the page's return at once
    this.before = apart > APART_MILLIS_MAX ? null : this.look;
    this.look = look;
  }
}

function lookAt(text) {
  const samples = parseMetrics(text);
  return { ...describeSources(samples, Date.now()), store: describeStore(samples) };
}
