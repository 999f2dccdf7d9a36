import { Task } from '@lit/task';
import { html, nothing } from 'lit';

import { parseMetrics } from '../../model/system/metrics.js';
import { View } from '../view.js';

/** Which version serves, and where its interface is described. */
export class AboutLine extends View {
  static properties = {
    client: { attribute: false },
    /** Why the key may not read metrics, or null. */
    lacks: { attribute: false },
  };

  #version = new Task(this, {
    args: () => [this.lacks],
    task: async ([lacks], { signal }) => (lacks ? null : await this.#ask(signal)),
  });

  async #ask(signal) {
    return versionOf(parseMetrics(await this.client.metrics(signal)));
  }

  render() {
    return html`
      ${this.#version.render({ complete: (version) => (version ? html`<span data-testid="version">Hourglass ${version}</span>` : nothing), error: () => nothing })}
      <a href="api.html">API reference</a>
      <a href="openapi.yaml">openapi.yaml</a>
    `;
  }
}

const versionOf = (samples) => samples.find(({ name }) => name === 'hourglass_build_info')?.labels.version;

customElements.define('about-line', AboutLine);
