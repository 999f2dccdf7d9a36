import { Task } from '@lit/task';
import { html, nothing } from 'lit';

import { hourAfter, hourBefore } from '../api/nearest-hour.js';
import { left, right } from './icons.js';
import { View } from './view.js';

/** Ways out of an empty hour: the nearest hours with events on either side. Tells `hour`. */
export class NearestHours extends View {
  static properties = {
    client: { attribute: false },
    hour: { attribute: false },
    types: { attribute: false },
  };

  #found = new Task(this, {
    args: () => [this.hour.text, JSON.stringify(this.types)],
    task: async (_, { signal }) =>
      Promise.all([
        hourBefore(this.client, this.hour, this.types, signal),
        hourAfter(this.client, this.hour, this.types, signal),
      ]),
  });

  render() {
    return this.#found.render({
      pending: () => html`<span class="hint">Looking for the nearest hours…</span>`,
      complete: ([before, after]) => html`
        ${this.#way(before, (text) => html`${left}${text}`)} ${this.#way(after, (text) => html`${text}${right}`)}
      `,
      error: () => nothing,
    });
  }

  #way(hour, label) {
    if (!hour) return nothing;
    const text = html`<span>${hour.shortDay}, ${hour.span}</span>`;
    return html`<button type="button" class="button" @click=${() => this.tell('hour', hour)}>${label(text)}</button>`;
  }
}

customElements.define('nearest-hours', NearestHours);
