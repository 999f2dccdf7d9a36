import { html } from 'lit';

import { SHORTCUTS } from '../model/shortcuts.js';
import { close } from './icons.js';
import { View } from './view.js';

/** How the page is worked: keys, filters, and where more is written. */
export class HelpDialog extends View {
  render() {
    return html`
      <dialog class="dialog floating" aria-labelledby="help-title" @click=${this.#onClick}>
        <div class="card-head">
          <h2 id="help-title">Help</h2>
          <button type="button" class="button button-bare" aria-label="Close" @click=${() => this.#dialog.close()}>${close}</button>
        </div>
        <h3>Keys</h3>
        <dl class="keys">${SHORTCUTS.map(({ key, says }) => html`<div><dt><kbd>${key.replace('Escape', 'Esc')}</kbd></dt><dd>${says}</dd></div>`)}</dl>
        <h3>Filters</h3>
        <p><code>timeout</code> finds events with the text, <code>status:500</code> those whose field has this value,
          <code>ms:250..500</code> and <code>status&gt;=500</code> those whose number is so, <code>level:(error OR warn)</code> one of several, and
          <code>-path:/health</code> those whose field has another one or none. <code>?</code> beside the box has more. A value in an event, the
          field list and the chart filter on a click; an event's id leads to the event.</p>
        <h3>The address</h3>
        <p>It holds the whole view: time, filter, columns. Copy it to show somebody the same.</p>
        <h3>More</h3>
        <p><a href="api.html">The API</a>, for the same questions from a program. In a terminal, <code>hourglass query</code>, <code>hits</code> and
          <code>top</code> ask them; <code>--help</code> tells how.</p>
      </dialog>
    `;
  }

  async open() {
    await this.updateComplete;
    if (!this.#dialog.open) this.#dialog.showModal();
  }

  get #dialog() {
    return this.querySelector('dialog');
  }

  /** A click beside the dialog closes it. */
  #onClick(event) {
    if (event.target === this.#dialog) this.#dialog.close();
  }
}

customElements.define('help-dialog', HelpDialog);
