import { parseExact } from '../api/exact-json.js';
import { Tail } from '../api/tail.js';

/** Limit of kept events; older ones are in the list of their hour. */
export const KEPT_MAX = 2_000;

/** Limit of the characters of kept events, as received. */
export const KEPT_LENGTH_MAX = 32 << 20;

/** Messages about events that are not shown. */
const NOTICES = new Set(['missed', 'gap', 'failed']);

/** Notices kept. */
const NOTICES_MAX = 5;

/** Events that are there at once when a tail begins, where nothing has to be searched for them. */
const FIRST_EVENTS = 50;

/** How far back these may be; with a filter, all of a minute is looked at instead. */
const BACK_MILLIS_MAX = 3_600_000;
const BACK_MILLIS_FILTERED = 60_000;

/** The page is updated some times a second, however many events arrive. */
const SHOW_MILLIS = 150;

/** The rate is that of the last seconds. */
const RATE_SECONDS = 10;

/** The events of a live tail, newest first. While it is held, the page does not change, and new events are counted. */
export class LiveFeed {
  #host;
  #tail;
  #kept = [];
  #keptLength = 0;

  /** The received length of each kept event, by its key. */
  #lengths = new Map();
  #cameBySecond = new Map();

  /** The second of the first event's arrival, or null. */
  #firstSecond = null;
  #timer = null;

  /** The events shown; the array changes in place. */
  events = [];

  /** The first received event, or null. */
  first = null;

  /** Events since the start. */
  received = 0;

  /** Of these, how many have been there to see. */
  #seen = 0;

  /** Of events that could not be sent: `{kind: 'missed' | 'gap' | 'failed'}` and the server's text, newest last. */
  notices = [];

  /** Counts how often the events shown changed. */
  version = 0;

  #held = false;

  /**
   * @param {import('lit').ReactiveControllerHost} host is updated when something changed
   * @param query types and filter, as parameters
   */
  constructor(host, client, query) {
    this.#host = host;
    const begin = (signal) => beginning(client, query, signal);
    this.#tail = new Tail(client, query, begin, { onMessages: (messages) => this.#take(messages), onChange: () => host.requestUpdate() });
    this.#tail.run();
  }

  get status() {
    return this.#tail.status;
  }

  get error() {
    return this.#tail.error;
  }

  /** Events received while it was held. */
  get waiting() {
    return this.received - this.#seen;
  }

  /** Events shown once that made room for newer ones, or would have. */
  get gone() {
    return this.#seen - this.events.length;
  }

  /** Recent events a second, without those of the first second, which were there before. */
  get rate() {
    const now = seconds();
    const from = Math.max(now - RATE_SECONDS, (this.#firstSecond ?? now) + 1);
    let sum = 0;
    for (let second = from; second < now; second++) sum += this.#cameBySecond.get(second) ?? 0;
    return from < now ? sum / (now - from) : 0;
  }

  /** Holds the list as it is, or releases it. */
  hold(held) {
    if (this.#held === held) return;
    this.#held = held;
    if (!held) this.show();
  }

  /** Shows all received events, held or not. */
  show() {
    this.#seen = this.received;
    this.events.length = 0;
    for (let i = this.#kept.length - 1; i >= 0; i--) this.events.push(this.#kept[i]);
    this.#changed();
  }

  /** Puts a notice away. */
  dismiss(notice) {
    this.notices = this.notices.filter((other) => other !== notice);
    this.#host.requestUpdate();
  }

  stop() {
    this.#tail.stop();
    clearTimeout(this.#timer);
  }

  #take(messages) {
    for (const { event, data } of messages) {
      if (event === 'message' || event === 'late') this.#add(parseExact(data), data.length, event === 'late');
      else if (NOTICES.has(event)) this.notices = [...this.notices, { kind: event, ...JSON.parse(data) }].slice(-NOTICES_MAX);
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      if (this.#held) this.#host.requestUpdate();
      else this.show();
    }, SHOW_MILLIS);
  }

  /** Late events may be delivered twice: the repeat is not new. */
  #add(event, length, late) {
    const key = keyOf(event);
    if (this.#lengths.has(key)) return;
    this.#lengths.set(key, length);
    this.#keptLength += length;
    this.#kept.push(late ? { ...event, late } : event);
    this.first ??= event;
    this.received++;
    this.#count();
    while (this.#kept.length > KEPT_MAX || (this.#keptLength > KEPT_LENGTH_MAX && this.#kept.length > 1)) {
      const old = keyOf(this.#kept.shift());
      this.#keptLength -= this.#lengths.get(old);
      this.#lengths.delete(old);
    }
  }

  #count() {
    const now = seconds();
    this.#firstSecond ??= now;
    this.#cameBySecond.set(now, (this.#cameBySecond.get(now) ?? 0) + 1);
    if (this.#cameBySecond.size > 2 * RATE_SECONDS) this.#cameBySecond.delete(this.#cameBySecond.keys().next().value);
  }

  #changed() {
    this.version++;
    this.#host.requestUpdate();
  }
}

const keyOf = ({ id, type }) => `${id} ${type}`;

const seconds = () => Math.floor(performance.now() / 1000);

/**
 * A time from which on there is something to see at once. All from there on comes by the tail, so nothing is left out
 * between the two.
 */
async function beginning(client, query, signal) {
  const now = Date.now();
  if (query.q) return new Date(now - BACK_MILLIS_FILTERED).toISOString();
  const to = new Date(now).toISOString();
  const from = new Date(now - BACK_MILLIS_MAX).toISOString();
  const { events } = await client.events({ ...query, from, to, order: 'desc', limit: FIRST_EVENTS }, signal);
  return events.at(-1)?.time ?? to;
}
