import { html } from 'lit';

import { WhileInView } from '../../state/while-in-view.js';
import '../copy-button.js';
import { View } from '../view.js';

/** The interval of asking an empty server for events. */
const EVERY_MILLIS = 3000;

/** An empty store: how to push a first event, here and now. Tells `look` every few seconds. */
export class FirstEvent extends View {
  constructor() {
    super();
    new WhileInView(this, EVERY_MILLIS, () => this.tell('look'));
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
