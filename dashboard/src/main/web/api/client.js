import { parseExact } from './exact-json.js';
import { Lock } from './lock.js';

/** Longest wait for an answer, in milliseconds: past it the page says so instead of spinning for ever. */
const TIMEOUT_MILLIS = 30_000;

/** Where browsers do not say it, a server knows by the last one that a page asks, which asks for a key itself. */
const PROBLEM = 'application/problem+json';
const JSON_OR_PROBLEM = `application/json, ${PROBLEM}`;

/** A request that brought no usable answer. `status` is 0 when the server was not reached, -1 when it took too long. */
export class ApiError extends Error {
  constructor(status, title, detail, { retryAfterSeconds = null, bound = null, scope = null, filter = null } = {}) {
    super(detail ? `${title}: ${detail}` : title);
    this.status = status;
    this.title = title;
    this.detail = detail;
    this.retryAfterSeconds = retryAfterSeconds;
    /** The setting that a query would pass which reads too much, or null. */
    this.bound = bound;
    /** What the key would have to be allowed, or null. */
    this.scope = scope;
    /** Of a filter that cannot be read: `{reason, from, to, fix}`; else null. */
    this.filter = filter;
  }

  /** The parameter that the server names as refused, or null: `q: "...": column 15: ...`. */
  get parameter() {
    return this.status === 400 ? (/^([a-z_]+): /.exec(this.detail ?? '')?.[1] ?? null) : null;
  }
}

/** The query API of the origin that served the page. Sends `unreached` when the server is not there; `back` is sent by who sees it again. */
export class Client extends EventTarget {
  #fetch;

  /** A request that is refused without a key waits here for the sign-in. */
  lock = new Lock();

  constructor(fetchFunction = globalThis.fetch.bind(globalThis)) {
    super();
    this.#fetch = fetchFunction;
  }

  /** Events of one page: `{events, cursor, rows, complete}`. */
  events(query, signal) {
    return this.#json('api/v1/events', { ...query, format: 'json' }, signal);
  }

  /** Counts by step: `{step_ms, from, series, total}`. */
  hits(query, signal) {
    return this.#json('api/v1/hits', query, signal);
  }

  /** What a filter means, joined with `and`: `{q, language, where, word, type, id, parts, fields, marks}`. */
  filter({ q, and = '' }, signal) {
    return this.#json('api/v1/filter', { q, and }, signal);
  }

  /** What a filter means that is being typed, or why it cannot be read: `{reason, from, to, fix}`. */
  reading(q, signal) {
    return this.#json('api/v1/filter', { q, on_refused: 200 }, signal); // the browser's console has each 400
  }

  types(query, signal) {
    return this.#json('api/v1/types', query, signal);
  }

  rows(query, signal) {
    return this.#json('api/v1/rows', query, signal);
  }

  /** The cost of a query of events: `{hours, rows, columns, bytes}`. */
  plan(query, signal) {
    return this.#json('api/v1/plan', query, signal);
  }

  /** One event by its id; its type need only be said where events of several types have the id. */
  event({ id, type }, signal) {
    return this.#json(`api/v1/events/${encodeURIComponent(id)}`, { type }, signal);
  }

  /** An event with those before and after it, oldest first: `{events, ...}`. */
  around({ id, type, limit }, signal) {
    return this.#json('api/v1/events', { around: id, type, limit, format: 'json' }, signal);
  }

  /** The cursor behind an event in a query of events, or null at the end. */
  async cursorBehind({ id }, query, signal) {
    const { cursor } = await this.#json('api/v1/events', { ...query, around: id, limit: 1, format: 'json' }, signal);
    return cursor ?? null;
  }

  /** The fields of events, those in most events first: `{fields: [{field, events, kinds, ...}], more, ...}`. */
  fields(query, signal) {
    return this.#json('api/v1/fields', query, signal);
  }

  /** The most frequent values of a field: `{values: [{value, count, error_max}], events, absent, ...}`. */
  top(query, signal) {
    return this.#json('api/v1/top', query, signal);
  }

  /** The distribution of the numbers of a field: `{series: [{type, count, min, ..., max}], quantile_error_max}`. */
  stats(query, signal) {
    return this.#json('api/v1/stats', query, signal);
  }

  /** The ledger of refused events of the process: `{total, rejects: [{type, reason, count, last, samples}]}`. */
  rejects(signal) {
    return this.#json('api/v1/rejects', {}, signal);
  }

  /** The key that is signed in: `{name, scopes, types}`; null where the server has no keys. */
  async session(signal) {
    const response = await this.#once('api/v1/session', { headers: { Accept: JSON_OR_PROBLEM } }, signal);
    if (response.status === 204) return null;
    if (!response.ok) throw await errorOf(response);
    return response.json();
  }

  /** Signs in with the secret of a key. The browser keeps the session, in a cookie that the page cannot read. */
  async signIn(key, signal) {
    const headers = { Accept: JSON_OR_PROBLEM, 'Content-Type': 'application/json' };
    const response = await this.#once('api/v1/session', { method: 'POST', headers, body: JSON.stringify({ key }) }, signal);
    if (!response.ok) throw await errorOf(response);
  }

  async signOut(signal) {
    const response = await this.#once('api/v1/session', { method: 'DELETE', headers: { Accept: JSON_OR_PROBLEM } }, signal);
    if (!response.ok && response.status !== 401) throw await errorOf(response);
  }

  /** Resolves when the server says that it is ready, else fails with the reason. */
  async ready(signal) {
    const response = await this.#get('health/ready', {}, signal);
    if (!response.ok) throw await errorOf(response);
    await response.text(); // an answer left unread keeps its connection
  }

  /** The server's health, ready or not: `{status, store, kafka?}`. */
  async health(signal) {
    const response = await this.#get('health/ready', {}, signal);
    return response.json().catch(() => ({}));
  }

  /** The metrics of the process, as text. */
  async metrics(signal) {
    const response = await this.#get('metrics', {}, signal, `text/plain, ${PROBLEM}`);
    if (!response.ok) throw await errorOf(response);
    return response.text().catch((e) => {
      throw this.#unreached(e, signal);
    });
  }

  /**
   * Server-sent events of the live tail, as pieces of text.
   *
   * @param {string | null} lastId the id of the last message; the stream continues behind it
   */
  async tail(query, lastId, signal) {
    const headers = { Accept: `text/event-stream, ${PROBLEM}`, ...(lastId === null ? {} : { 'Last-Event-ID': lastId }) };
    return this.#pieces('api/v1/tail', query, headers, signal);
  }

  /**
   * All events of a query as they are found, in pieces of JSON lines, with lines of progress between them. A broken
   * answer is an error, never a clean end.
   */
  async eventLines(query, signal) {
    return this.#pieces('api/v1/events', { ...query, format: 'ndjson', limit: 'all', progress: 'true' }, { Accept: `application/x-ndjson, ${PROBLEM}` }, signal);
  }

  /** The answer in pieces of text, cut between characters. The first piece has no time limit. */
  async #pieces(path, query, headers, signal) {
    let response;
    try {
      response = await this.lock.pass(() => this.#fetch(address(path, query), { headers, signal, cache: 'no-store' }), signal);
    } catch (e) {
      throw this.#unreached(e, signal);
    }
    if (!response.ok) throw await errorOf(response);
    return textOf(response.body, (e) => this.#unreached(e, signal));
  }

  async #json(path, query, signal) {
    const response = await this.#get(path, query, signal);
    if (!response.ok) throw await errorOf(response);
    const text = await response.text().catch((e) => {
      throw this.#unreached(e, signal);
    });
    try {
      return parseExact(text);
    } catch {
      throw new ApiError(response.status, 'The answer cannot be read', `${path} did not answer with JSON`);
    }
  }

  async #get(path, query, signal, accept = JSON_OR_PROBLEM) {
    return this.lock.pass(() => this.#once(address(path, query), { headers: { Accept: accept } }, signal), signal);
  }

  /** The answer, whatever it is. A reader who signs in takes none of its time. */
  async #once(url, init, signal) {
    const limits = [AbortSignal.timeout(TIMEOUT_MILLIS), signal].filter(Boolean);
    try {
      return await this.#fetch(url, { ...init, signal: AbortSignal.any(limits) });
    } catch (e) {
      throw this.#unreached(e, signal);
    }
  }

  /** An abort by the page itself passes unchanged, for the caller to interpret. */
  #unreached(cause, signal) {
    if (signal?.aborted) return cause;
    if (cause.name === 'TimeoutError') {
      return new ApiError(-1, 'The server takes too long', `no answer within ${TIMEOUT_MILLIS / 1000} s`);
    }
    this.dispatchEvent(new Event('unreached'));
    return new ApiError(0, 'The server cannot be reached', 'the connection failed or was cut');
  }
}

/** Read by hand: not every browser lets a stream be looped over. */
async function* textOf(body, errorOfCut) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } catch (e) {
    throw errorOfCut(e);
  } finally {
    reader.cancel().catch(() => {}); // the server can stop too
  }
}

/** `path?name=value`, arrays repeated, without values that are null, undefined or empty. */
export function address(path, query) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) {
      if (one !== null && one !== undefined && one !== '') search.append(name, one);
    }
  }
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** The problem of RFC 9457 if the server sent one, else the status line. */
async function errorOf(response) {
  const retryAfter = Number.parseInt(response.headers.get('Retry-After'), 10);
  const problem = await response.json().catch(() => ({}));
  return new ApiError(
    response.status,
    problem.title || response.statusText || `Status ${response.status}`,
    problem.detail ?? null,
    { retryAfterSeconds: Number.isNaN(retryAfter) ? null : retryAfter, bound: problem.bound, scope: problem.scope, filter: problem.parameter === 'q' ? problem : null },
  );
}
