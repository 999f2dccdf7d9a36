import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';

import { hasNotValue } from '../../model/filter/field-clauses.js';
import { count, percent } from '../../model/format.js';
import { markOf } from '../../model/type-colours.js';
import { toggled } from '../../model/types.js';
import { minus } from '../icons.js';
import { View } from '../view.js';

/** From this many types on, a field narrows the list. */
const SEARCH_FROM = 12;

/** Most types listed at once; the field finds the others. */
const LISTED_MAX = 200;

/**
 * The types of the view with their counts: the legend of the chart and the filter of the page. Tells `types`, and
 * `clause` to exclude one.
 */
export class TypePicker extends View {
  static properties = {
    choices: { attribute: false },
    chosen: { attribute: false },
    /** The set of types that the chart shows apart, by which the marks go. */
    apart: { attribute: false },
    search: { state: true },
  };

  constructor() {
    super();
    this.search = '';
  }

  render() {
    const total = this.choices.reduce((sum, t) => sum + t.count, 0);
    const wanted = this.search.toLowerCase();
    const found = this.choices.filter((t) => t.type.toLowerCase().includes(wanted));
    return html`
      ${this.choices.length < SEARCH_FROM ? nothing : this.#searchField()}
      <div class="types" role="group" aria-label="Event types">
        <button type="button" class="type" aria-pressed=${this.chosen.length === 0} @click=${() => this.tell('types', [])}>
          <span class="swatch swatch-all"></span><span class="type-name cut">All types</span>
          <span class="type-count">${count(total)}</span>
        </button>
        ${repeat(found.slice(0, LISTED_MAX), (t) => t.type, (t) => this.#choice(t, total))}
      </div>
      ${found.length > LISTED_MAX ? html`<p class="hint">and ${count(found.length - LISTED_MAX)} more: type to find them</p>` : nothing}
      ${found.length === 0 ? html`<p class="hint">${this.search ? `No type contains “${this.search}”.` : 'No types here.'}</p>` : nothing}
    `;
  }

  #searchField() {
    return html`<input type="search" class="types-search" placeholder="Find among ${count(this.choices.length)} types"
      aria-label="Find types" .value=${this.search} @input=${(e) => (this.search = e.target.value)} />`;
  }

  #choice({ type, count: events }, total) {
    const share = total === 0 ? 0 : events / total;
    const title = `${type}: ${count(events)}, ${percent(share)} of the view`;
    return html`
      <div class="type-item"><button type="button" class="type" aria-pressed=${this.chosen.includes(type)} title=${title} data-type=${type}
        @click=${() => this.tell('types', toggled(this.chosen, type))}>
        <span class="swatch" .style=${markOf(type)}></span>
        <span class="type-name cut">${type}</span>
        <span class="type-count">${count(events)}</span>
      </button><button type="button" class="type-exclude" aria-label=${`Exclude ${type}`} title="Not this type" @click=${() => this.#exclude(type)}>${minus}</button></div>
    `;
  }

  /** A type that was chosen is then no longer. */
  #exclude(type) {
    if (this.chosen.includes(type)) this.tell('types', toggled(this.chosen, type));
    else this.tell('clause', hasNotValue('type', type));
  }
}

customElements.define('type-picker', TypePicker);
