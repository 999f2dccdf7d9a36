import { html } from 'lit';

import { WhileInView } from '../../state/while-in-view.js';
import { View } from '../view.js';

/** Often enough to notice, seldom enough not to matter. */
const EVERY_MILLIS = 15_000;

/** A server that is away or not ready is waited for. */
const WAITED_MILLIS = 2_000;
const WAITED = ['away', 'unready'];

const TEXTS = { asking: 'Asking…', ready: 'Ready', unready: 'Not ready', away: 'No connection' };

/**
 * Whether the server can do its work, asked again and again while the page is in view, and at once when a request of
 * the page does not reach it. Tells `away` with whether it is not reached when that changes, and `back` when a server that
 * was away or not ready can work again.
 */
export class HealthBadge extends View {
  static properties = {
    client: { attribute: false },
    health: { state: true },
    reason: { state: true },
  };

  #asking = false;
  #onUnreached = () => this.#ask();

  constructor() {
    super();
    new WhileInView(this, EVERY_MILLIS, () => this.#ask());
    new WhileInView(this, WAITED_MILLIS, () => WAITED.includes(this.health) && this.#ask());
    this.health = 'asking';
    this.reason = '';
  }

  firstUpdated() {
    this.#ask();
  }

  willUpdate(changed) {
    if (!changed.has('client')) return;
    changed.get('client')?.removeEventListener('unreached', this.#onUnreached);
    this.client.addEventListener('unreached', this.#onUnreached);
  }

  /** On a phone there is no room for what is usual, and for what the page names anyway. */
  render() {
    return html`
      <span class="health health-${this.health}" role="status" title=${this.reason}>
        <span class="visually-hidden">Server: </span><span class=${['ready', 'away'].includes(this.health) ? 'wide-only' : ''}>${TEXTS[this.health]}</span>
      </span>
    `;
  }

  async #ask() {
    if (this.#asking) return;
    this.#asking = true;
    const before = this.health;
    try {
      await this.client.ready();
      this.health = 'ready';
      this.reason = 'The server takes requests and reaches its store';
      if (before === 'away') this.tell('away', false);
      if (WAITED.includes(before)) this.tell('back');
    } catch (error) {
      this.health = error.status > 0 ? 'unready' : 'away';
      this.reason = error.message;
      if ((this.health === 'away') !== (before === 'away')) this.tell('away', this.health === 'away');
    }
    this.#asking = false;
  }
}

customElements.define('health-badge', HealthBadge);
