import { html, nothing } from 'lit';

import { View } from './view.js';

const TITLES = { events: 'Events', fields: 'Fields', compare: 'Compare', rows: 'Rows', planner: 'Planner', sources: 'Sources', health: 'Health' };

/** Chooses which of some panels is shown. Tells `panel`. */
export class PanelTabs extends View {
  static properties = {
    panels: { attribute: false },
    show: {},
  };

  #follow = false;

  render() {
    return html`
      <div class="tabs" role="tablist" aria-label="Details" @keydown=${this.#onKey}>
        ${this.panels.map((panel) => this.#tab(panel))}
      </div>
    `;
  }

  updated() {
    if (this.#follow) this.querySelector('[aria-selected="true"]').focus();
    this.#follow = false;
  }

  #tab(panel) {
    const selected = panel === this.show;
    return html`
      <button type="button" role="tab" class="tab" id=${`tab-${panel}`} aria-selected=${selected} tabindex=${selected ? 0 : -1}
        aria-controls=${selected ? `panel-${panel}` : nothing} @click=${() => this.tell('panel', panel)}>${TITLES[panel]}</button>
    `;
  }

  #onKey(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    const next = (this.panels.indexOf(this.show) + step + this.panels.length) % this.panels.length;
    this.#follow = true;
    this.tell('panel', this.panels[next]);
  }
}

export const panelTabs = (panels, show) => html`<panel-tabs .panels=${panels} .show=${show}></panel-tabs>`;

customElements.define('panel-tabs', PanelTabs);
