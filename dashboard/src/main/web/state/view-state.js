import { readView, writeView } from './address.js';

/** Keeps the view of its host and the address of the browser the same, both ways. */
export class ViewState {
  #host;
  #onPopState = () => this.#show(readView(location.search));

  constructor(host) {
    this.#host = host;
    this.view = readView(location.search);
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

  #enter(part, how) {
    const view = { ...this.view, badTime: null, ...part };
    const search = writeView(view);
    if (search !== (location.search || '?')) history[how](null, '', search);
    this.#show(view);
  }

  #show(view) {
    this.view = view;
    this.#host.requestUpdate();
  }
}
