import { html } from 'lit';

import './copy-button.js';
import { View } from './view.js';

/** How often an empty server is asked whether something came. */
const EVERY_MILLIS = 3000;

/** An empty store: how to push a first event, here and now. Tells `look` every few seconds. */
export class FirstEvent extends View {
  #timer;

  connectedCallback() {
    super.connectedCallback();
    this.#timer = setInterval(() => document.visibilityState === 'visible' && this.tell('look'), EVERY_MILLIS);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.#timer);
  }

  render() {
    const command = curl(new URL('api/v1/events', location.href));
    return html`
      <section class="first card" aria-labelledby="first-title">
        <h1 id="first-title">No events yet</h1>
        <p>The store is empty. Push a first event from a shell, and it appears here by itself:</p>
        <pre><code>${command}</code></pre>
        <copy-button label="Copy command" .text=${command}></copy-button>
        <p class="hint waiting" role="status">Waiting for the first event…</p>
      </section>
    `;
  }
}

const curl = (url) => `curl '${url.origin}${url.pathname}' \\
  -H 'Content-Type: application/json' \\
  -d '{"type": "greeting", "message": "hello, hourglass"}'`;

customElements.define('first-event', FirstEvent);
