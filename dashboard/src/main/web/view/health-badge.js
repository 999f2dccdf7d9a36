import { html } from 'lit';

import { View } from './view.js';

/** Often enough to notice, seldom enough not to matter. */
const EVERY_MILLIS = 15_000;

const TEXTS = { asking: 'Asking…', ready: 'Ready', unready: 'Not ready', away: 'No connection' };

/** Whether the server can do its work, asked again and again while the page is in view. */
export class HealthBadge extends View {
  static properties = {
    client: { attribute: false },
    health: { state: true },
    reason: { state: true },
  };

  #timer;
  #onVisible = () => document.visibilityState === 'visible' && this.#ask();

  constructor() {
    super();
    this.health = 'asking';
    this.reason = '';
  }

  connectedCallback() {
    super.connectedCallback();
    this.#timer = setInterval(this.#onVisible, EVERY_MILLIS);
    document.addEventListener('visibilitychange', this.#onVisible);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.#timer);
    document.removeEventListener('visibilitychange', this.#onVisible);
  }

  firstUpdated() {
    this.#ask();
  }

  render() {
    return html`
      <span class="health health-${this.health}" role="status" title=${this.reason}>
        <span class="visually-hidden">Server: </span>${TEXTS[this.health]}
      </span>
    `;
  }

  async #ask() {
    try {
      await this.client.ready();
      this.health = 'ready';
      this.reason = 'The server takes requests and reaches its store';
    } catch (error) {
      this.health = error.status > 0 ? 'unready' : 'away';
      this.reason = error.message;
    }
  }
}

customElements.define('health-badge', HealthBadge);
