import { Task } from '@lit/task';
import { html, nothing } from 'lit';

import { compare } from '../../api/comparison.js';
import { canSay, hasNotValue, hasValue } from '../../model/filter/field-clauses.js';
import { OUTSIDE } from '../../model/filter/field-reference.js';
import { shortName } from '../../model/fields.js';
import { count, figure, percent } from '../../model/format.js';
import { brief, kindOf } from '../../model/json-preview.js';
import { WhenBack } from '../../state/when-back.js';
import { bones, callout, partError } from '../callout.js';
import { minus, plus } from '../icons.js';
import { View } from '../view.js';

const FIGURES = ['p50', 'p90', 'p99', 'max'];

/** Fields that are shown. */
const SHOWN_MAX = 12;

/**
 * How the events of the view differ from all others of its time: values with larger or smaller shares. Tells `clause`
 * and `field`.
 */
export class ComparePanel extends View {
  static properties = {
    client: { attribute: false },
    /** The span, types and filter, as parameters. */
    query: { attribute: false },
    /** Counts the reloads of the page. */
    round: { type: Number },
  };

  #compared = new Task(this, {
    args: () => [JSON.stringify(this.query), this.round],
    task: (_, { signal }) => {
      const base = this.#base();
      return base && this.#compare(base, signal);
    },
  });

  constructor() {
    super();
    new WhenBack(this, this.#compared);
  }

  render() {
    return this.#compared.render({
      pending: () => bones(8),
      error: (error) => partError(error, () => this.#compared.run()),
      complete: (compared) => (compared ? this.#differences(compared) : this.#nothingSelected()),
    });
  }

  /** Fields that the filter names differ by it. */
  async #compare(base, signal) {
    const named = this.#isFiltered() ? (await this.client.filter({ q: this.query.q }, signal)).fields.map(({ field }) => field) : ['type'];
    return compare(this.client, this.query, base, new Set(named), signal);
  }

  #isFiltered() {
    return Boolean(this.query.q);
  }

  /** The events to compare with: without the filter; without the types where there is no filter. */
  #base() {
    const { q, type, ...span } = this.query;
    if (this.#isFiltered()) return { ...span, type };
    return type.length > 0 ? span : null;
  }

  #nothingSelected() {
    return callout({
      title: 'Nothing is selected yet',
      text: 'Search for what is odd, such as errors or slow requests, or choose a type. This shows how these events differ from all others of the same time.',
    });
  }

  #differences({ events, fields, numbers, sampled }) {
    const rest = Math.max(0, events.all - events.selected);
    return html`
      <p class="field-facts">${this.#key('selected')}<b>${count(events.selected)}</b> selected events against ${this.#key('rest')}<b>${count(rest)}</b> others of the same time${sampled === undefined ? '' : '; some shares are estimates from a sample'}</p>
      ${fields.length + numbers.length === 0 ? html`<p class="foot">Nothing stands out: all values have about the same share in both</p>` : nothing}
      <div class="compared">
        ${fields.slice(0, SHOWN_MAX).map((field) => this.#field(field))}
      </div>
      ${numbers.length > 0 ? this.#numbers(numbers.slice(0, SHOWN_MAX)) : nothing}
    `;
  }

  #key(which) {
    return html`<span class="compare-key compare-${which}" aria-hidden="true"></span>`;
  }

  #title(name, isNamed) {
    const title = OUTSIDE.includes(name) ? html`<span class="compared-name">${name}</span>` : html`<button type="button" class="compared-name" title=${`Statistics of ${name}`} @click=${() => this.tell('field', name)}>${shortName(name)}</button>`;
    return html`${title}${isNamed ? html` <span class="hint">in the filter</span>` : nothing}`;
  }

  #field({ name, values, isNamed }) {
    return html`
      <section class="compared-field" aria-label=${name}>
        <h3>${this.#title(name, isNamed)}</h3>
        <ul>${values.map((value) => this.#value(name, value))}</ul>
      </section>
    `;
  }

  #value(name, { value, selected, rest }) {
    const text = kindOf(value) === 'string' ? value : brief(value);
    const bar = (which, share) => html`<span class="compared-bar"><span class="compare-${which}" .style=${`width:${share * 100}%`}></span></span><span class="compared-share">${percent(share)}</span>`;
    return html`
      <li class="compared-value">
        <code class="cut json-${kindOf(value)}" title=${text}>${text === '' ? '""' : text}</code>
        <span class="compared-bars" role="img" aria-label=${`${percent(selected)} of the selected, ${percent(rest)} of the others`}>${bar('selected', selected)}${bar('rest', rest)}</span>
        ${canSay(name, value) ? html`<span
          ><button type="button" class="value-button" aria-label=${`Only ${text}`} title="Only these" @click=${() => this.tell('clause', hasValue(name, value))}>${plus}</button
          ><button type="button" class="value-button" aria-label=${`Not ${text}`} title="Not these" @click=${() => this.tell('clause', hasNotValue(name, value))}>${minus}</button></span>` : html`<span></span>`}
      </li>
    `;
  }

  #numbers(numbers) {
    return html`
      <div class="scroller" role="region" aria-label="Numbers that differ" tabindex="0">
        <table class="table rows">
          <thead><tr><th scope="col">Numbers</th><th scope="col">Events</th>${FIGURES.map((name) => html`<th scope="col" class="number">${name}</th>`)}</tr></thead>
          <tbody>${numbers.map(({ name, selected, all, isNamed }) => html`
            <tr><th scope="rowgroup" rowspan="2">${this.#title(name, isNamed)}</th><td>${this.#key('selected')}selected</td>${FIGURES.map((f) => html`<td class="number">${figure(selected[f])}</td>`)}</tr>
            <tr><td>${this.#key('rest')}all</td>${FIGURES.map((f) => html`<td class="number">${figure(all[f])}</td>`)}</tr>`)}</tbody>
        </table>
      </div>
    `;
  }
}

customElements.define('compare-panel', ComparePanel);
