import { lastSpan } from '../model/time/relative.js';
import { readView, writeView } from './address.js';

/** Keeps the view of its host and the address of the browser the same, both ways. */
export class ViewState {
  #host;
  #order;
  #onPopState = () => this.#show(this.#read());

  /** @param {() => string} order the order of events where the address names none */
  constructor(host, order) {
    this.#host = host;
    this.#order = order;
    this.view = this.#read();
    host.addController(this);
  }

  hostConnected() {
    addEventListener('popstate', this.#onPopState);
  }

  hostDisconnected() {
    removeEventListener('popstate', this.#onPopState);
  }

  /** Moves on to a changed view: Back returns to the one before. */
  change(part) {
    this.#enter(part, 'pushState');
  }

  /** Settles the view without a step in the history. */
  settle(part) {
    this.#enter(part, 'replaceState');
  }

  /** The span of a view that ends now, as it is now; nothing of any other view. For a question that is asked again. */
  get renewed() {
    const { last } = this.view;
    return last ? { last, span: lastSpan(last, Date.now()) } : {};
  }

  #read() {
    return readView(location.search, Date.now(), this.#order());
  }

  #enter(part, how) {
    // A span without a length is two times.
    const view = { ...this.view, badTime: null, ...('span' in part ? { last: null } : {}), ...part };
    const search = writeView(view);
    if (search !== (location.search || '?')) history[how](null, '', search);
    this.#show(view);
  }

  #show(view) {
    this.view = view;
    this.#host.requestUpdate();
  }
}
