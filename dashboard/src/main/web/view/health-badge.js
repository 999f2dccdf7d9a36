import { html } from 'lit';

import { WhileInView } from '../state/while-in-view.js';
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

  constructor() {
    super();
    new WhileInView(this, EVERY_MILLIS, () => this.#ask());
    this.health = 'asking';
    this.reason = '';
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
