import { readView, writeView } from './address.js';

/** Searches that a reader named, and those asked last; kept in this browser, as addresses without a time that is over. */

const SAVED = 'hourglass.searches';
const ASKED = 'hourglass.history';

export const SAVED_MAX = 100;
export const ASKED_MAX = 50;

/** What a search is made of: the selection and how it is shown. A span that ends now belongs to it, two times do not. */
const PARTS = ['types', 'contains', 'icase', 'where', 'columns', 'by', 'measure', 'number', 'scale', 'last'];

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
  const { types, contains, where } = readView(search);
  return [contains && `“${contains}”`, where, types.join(', ')].filter(Boolean).join(' · ') || 'All events';
}

/** Keeps them for its host. */
export class Searches {
  #host;
  #noted = null;

  /** @type {{name: string, search: string}[]} by name */
  saved = read(SAVED).filter((one) => typeof one?.name === 'string' && typeof one?.search === 'string');

  /** @type {string[]} the newest first */
  asked = read(ASKED).filter((search) => typeof search === 'string');

  constructor(host) {
    this.#host = host;
  }

  get full() {
    return this.saved.length >= SAVED_MAX;
  }

  /** Takes the place of another of that name. */
  save(name, search) {
    const others = this.saved.filter((one) => one.name !== name).slice(0, SAVED_MAX - 1);
    this.saved = [...others, { name, search }].sort((a, b) => a.name.localeCompare(b.name));
    this.#keep(SAVED, this.saved);
  }

  remove(name) {
    this.saved = this.saved.filter((one) => one.name !== name);
    this.#keep(SAVED, this.saved);
  }

  /** Takes note of what a view asks, where it selects something. */
  note(view) {
    const search = searchOf({ ...view, columns: [], last: null });
    if (search === this.#noted) return;
    this.#noted = search;
    if (!view.contains && !view.where && view.types.length === 0) return;
    this.asked = [search, ...this.asked.filter((other) => other !== search)].slice(0, ASKED_MAX);
    this.#keep(ASKED, this.asked);
  }

  forget() {
    this.asked = [];
    this.#keep(ASKED, this.asked);
  }

  #keep(key, list) {
    try {
      localStorage.setItem(key, JSON.stringify(list));
    } catch {
      // A browser that forbids storage, or has no room: then they hold until the page is left.
    }
    this.#host.requestUpdate();
  }
}

function read(key) {
  try {
    const list = JSON.parse(localStorage.getItem(key));
    return Array.isArray(list) ? list : [];
  } catch {
    return []; // none are kept, or what is there is none of ours
  }
}
