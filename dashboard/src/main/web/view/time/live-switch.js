import { html } from 'lit';

import { View } from '../view.js';

/** Follows what comes, or stops. Tells `live` with true or false. */
export class LiveSwitch extends View {
  static properties = { on: { type: Boolean } };

  constructor() {
    super();
    this.on = false;
  }

  render() {
    return html`
      <button type="button" class="button live-switch" role="switch" aria-checked=${this.on} title=${this.on ? 'Stop following' : 'Follow new events'}
        @click=${() => this.tell('live', !this.on)}><span class="live-dot"></span><span>Live</span></button>
    `;
  }
}

customElements.define('live-switch', LiveSwitch);
