import { html, nothing } from 'lit';

import { compact } from '../model/format.js';
import { PANELS } from '../state/address.js';
import { View } from './view.js';

const TITLES = { events: 'Events', fields: 'Fields', rows: 'Rows', sources: 'Sources', health: 'Health' };

/** Chooses which details of the hour are shown. Tells `panel`. */
export class PanelTabs extends View {
  static properties = {
    show: {},
    /** How many there are of each, null while not known. */
    events: { type: Number },
    rows: { type: Number },
  };

  #follow = false;

  render() {
    return html`
      <div class="tabs" role="tablist" aria-label="Details" @keydown=${this.#onKey}>
        ${PANELS.map((panel) => this.#tab(panel))}
      </div>
    `;
  }

  updated(changed) {
    const selected = this.querySelector('[aria-selected="true"]');
    const grown = ['events', 'rows'].some((name) => changed.has(name) && changed.get(name) == null);
    if (changed.has('show') || grown) reveal(selected);
    if (this.#follow) selected.focus();
    this.#follow = false;
  }

  #tab(panel) {
    const selected = panel === this.show;
    return html`
      <button type="button" role="tab" class="tab" id=${`tab-${panel}`} aria-selected=${selected} tabindex=${selected ? 0 : -1}
        aria-controls=${selected ? `panel-${panel}` : nothing} @click=${() => this.tell('panel', panel)}>
        ${TITLES[panel]} ${this[panel] == null ? nothing : html`<span class="tab-count">${compact(this[panel])}</span>`}
      </button>
    `;
  }

  #onKey(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    const next = (PANELS.indexOf(this.show) + step + PANELS.length) % PANELS.length;
    this.#follow = true;
    this.tell('panel', PANELS[next]);
  }
}

/** On a phone the tabs are scrolled sideways; the page itself stays where it is. */
function reveal(tab) {
  const { parentElement: tabs } = tab;
  tabs.scrollLeft = Math.max(0, tab.offsetLeft + tab.offsetWidth - tabs.offsetLeft - tabs.clientWidth);
}

customElements.define('panel-tabs', PanelTabs);
