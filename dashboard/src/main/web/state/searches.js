import { readView, writeView } from './address.js';

/**
 * Searches that a reader named, and those asked last; kept in this browser, as addresses without a time that is over.
 */

const SAVED = 'hourglass.searches';
const ASKED = 'hourglass.history';

export const SAVED_MAX = 100;
export const ASKED_MAX = 50;

/**
 * What a search is made of: the selection and how it is shown. A span that ends now belongs to it, two times do not.
 */
const PARTS = ['types', 'q', 'columns', 'by', 'measure', 'number', 'scale', 'last'];

const partsOf = (view) => Object.fromEntries(PARTS.map((name) => [name, view[name]]));

/** The address of the search in a view; `?` of one that selects and shows nothing in particular. */
export const searchOf = (view) => writeView({ ...readView(''), ...partsOf(view) });

/** What changes in a view when a search is opened: the time only where it has one. */
export function openedBy(search, nowMillis) {
  const view = readView(search, nowMillis);
  const { last, ...parts } = partsOf(view);
  return last ? { ...parts, last, span: view.span, live: false } : parts;
}

/** A search in words: its filter and its types. */
export function wordsOf(search) {
  const { types, q } = readView(search);
  return [q, types.join(', ')].filter(Boolean).join(' · ') || 'All events';
}

/** What changes in a view when a search of the history is opened: those have no columns, so the reader's stay. */
export function askedAgain(search, nowMillis) {
  const { columns, ...parts } = openedBy(search, nowMillis);
  return parts;
}

/** Keeps them for its host. Another tab may change the lists too: each change is one of what is kept by then. */
export class Searches {
  #host;
  #noted = null;

  /** Whether this browser keeps nothing; then the lists hold until the page is left. */
  #forgets = false;

  /** @type {{name: string, search: string}[]} by name */
  saved = (read(SAVED) ?? []).filter(isSaved);

  /** @type {string[]} the newest first */
  asked = (read(ASKED) ?? []).filter(isAsked);

  constructor(host) {
    this.#host = host;
  }

  get full() {
    return this.saved.length >= SAVED_MAX;
  }

  /** Takes the place of another of that name. */
  save(name, search) {
    this.#readAgain();
    const others = this.saved.filter((one) => one.name !== name).slice(0, SAVED_MAX - 1);
    this.saved = [...others, { name, search }].sort((a, b) => a.name.localeCompare(b.name));
    this.#keep(SAVED, this.saved);
  }

  remove(name) {
    this.#readAgain();
    this.saved = this.saved.filter((one) => one.name !== name);
    this.#keep(SAVED, this.saved);
  }

  /** Takes note of what a view asks, where it selects something. */
  note(view) {
    const search = searchOf({ ...view, columns: [], last: null });
    if (search === this.#noted) return;
    this.#noted = search;
    if (!view.q && view.types.length === 0) return;
    this.#readAgain();
    this.asked = [search, ...this.asked.filter((other) => other !== search)].slice(0, ASKED_MAX);
    this.#keep(ASKED, this.asked);
  }

  forget() {
    this.asked = [];
    this.#keep(ASKED, this.asked);
  }

  #readAgain() {
    if (this.#forgets) return;
    this.saved = read(SAVED)?.filter(isSaved) ?? this.saved;
    this.asked = read(ASKED)?.filter(isAsked) ?? this.asked;
  }

  #keep(key, list) {
    try {
      localStorage.setItem(key, JSON.stringify(list));
    } catch {
      this.#forgets = true; // storage is forbidden, or has no room
    }
    this.#host.requestUpdate();
  }
}

const isSaved = (one) => typeof one?.name === 'string' && typeof one?.search === 'string';
const isAsked = (search) => typeof search === 'string';

/** The list that is kept, or null. */
function read(key) {
  try {
    const list = JSON.parse(localStorage.getItem(key));
    return Array.isArray(list) ? list : null;
  } catch {
    return null; // storage is forbidden, or what is there is none of ours
  }
}
