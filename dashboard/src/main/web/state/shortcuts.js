import { actOf, isWriting } from '../model/shortcuts.js';

/** Does what keys ask for, while its host is part of the page. */
export class Shortcuts {
  #acts;

  /** @param {Record<string, () => void>} acts by the names of model/shortcuts.js */
  constructor(host, acts) {
    this.#acts = acts;
    host.addController(this);
  }

  hostConnected() {
    document.addEventListener('keydown', this.#onKey);
  }

  hostDisconnected() {
    document.removeEventListener('keydown', this.#onKey);
  }

  #onKey = (event) => {
    const act = event.defaultPrevented ? null : actOf(event, isWriting(event.target));
    if (act === null) return;
    event.preventDefault();
    this.#acts[act]();
  };
}
