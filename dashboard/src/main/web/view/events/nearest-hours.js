import { Task } from '@lit/task';
import { html, nothing } from 'lit';

import { hourAfter, hourBefore } from '../../api/nearest-hour.js';
import { wallSpan, zoneName } from '../../model/time/zone.js';
import { left, right } from '../icons.js';
import { View } from '../view.js';

/** Ways out of an empty span: the nearest hours with events on either side. Tells `span`. */
export class NearestHours extends View {
  static properties = {
    client: { attribute: false },
    /** The empty Hour or Range. */
    span: { attribute: false },
    types: { attribute: false },
  };

  #found = new Task(this, {
    args: () => [this.span.text, JSON.stringify(this.types)],
    task: async (_, { signal }) =>
      Promise.all([
        hourBefore(this.client, this.span, this.types, signal),
        hourAfter(this.client, this.span, this.types, signal),
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
    const text = html`<span>${wallSpan(hour).shortDay}, ${wallSpan(hour).span} ${zoneName()}</span>`;
    return html`<button type="button" class="button" @click=${() => this.tell('span', hour)}>${label(text)}</button>`;
  }
}

customElements.define('nearest-hours', NearestHours);
