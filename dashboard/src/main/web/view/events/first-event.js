import { html, nothing } from 'lit';

import { typesText } from '../../model/access.js';
import { WhileInView } from '../../state/while-in-view.js';
import '../copy-button.js';
import { View } from '../view.js';

/** The interval of asking an empty server for events. */
const EVERY_MILLIS = 3000;

/** No events yet: how to push a first one, here and now, or what a key can do that may not. Tells `look` every few seconds. */
export class FirstEvent extends View {
  static properties = {
    /** The key that is signed in, or null. */
    key: { attribute: false },
    /** Why the key may not push, from model/access.js, or null. */
    lacks: { attribute: false },
  };

  constructor() {
    super();
    new WhileInView(this, EVERY_MILLIS, () => this.tell('look'));
  }

  render() {
    return html`
      <section class="first card" aria-labelledby="first-title">
        <h1 id="first-title">No events yet</h1>
        ${this.lacks ? this.#waiting() : this.#pushing()}
        <p class="hint waiting" role="status">Waiting for the first event…</p>
      </section>
    `;
  }

  #pushing() {
    const command = curl(new URL('api/v1/events', location.href), this.key !== null);
    return html`
      <p>${this.#where()} Push a first event from a shell, and it appears here by itself:</p>
      <pre><code>${command}</code></pre>
      <copy-button label="Copy command" .text=${command}></copy-button>
      ${this.key ? html`<p class="hint">With the secret of a key that may push, such as ${this.key.name}, as <code>HOURGLASS_KEY</code></p>` : nothing}
    `;
  }

  /** A key that may only ask. */
  #waiting() {
    return html`
      <p>${this.#where()} ${this.lacks}, so it cannot push any. Events that others push appear here by themselves.</p>
      <p>Until then, look up <a href="api.html">what can be asked</a>, or ask the operator of this server for a key with the scope <code>ingest</code>.</p>
    `;
  }

  /** A key of some types knows of no others. */
  #where() {
    const { key } = this;
    return key && !key.types.includes('*') ? `There is no event that the key ${key.name} may see, of the types ${typesText(key)}.` : 'The store is empty.';
  }
}

const curl = (url, asksForKey) => `curl '${url.origin}${url.pathname}' \\
  ${asksForKey ? '-H "Authorization: Bearer $HOURGLASS_KEY" \\\n  ' : ''}-H 'Content-Type: application/json' \\
  -d '{"type": "greeting", "message": "hello, hourglass"}'`;

customElements.define('first-event', FirstEvent);
