import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';

import { canSay, hasValue } from '../../model/filter/field-clauses.js';
import { kindsText, listedFields } from '../../model/field-list.js';
import { count, counted, percent } from '../../model/format.js';
import { brief, kindOf } from '../../model/json-preview.js';
import { star } from '../icons.js';
import { View } from '../view.js';

/** Frequent values of a field that are shown; the server tells no more. */
const VALUES = 5;

/** As many fields as are looked through at a glance; others are found by their name. */
const SHOWN = 100;

/**
 * All fields of the view side by side: of which kinds, in how many events, with how many values, and which are most
 * frequent. Tells `field`, `clause`, `column` and `columns`.
 */
export class FieldsTable extends View {
  static properties = {
    /** The answer of /fields, and whether it is of an older question. */
    answer: { attribute: false },
    stale: { type: Boolean },
    columns: { attribute: false },
    wanted: { state: true },
    shown: { state: true },
  };

  constructor() {
    super();
    this.wanted = '';
    this.shown = SHOWN;
  }

  render() {
    const { answer } = this;
    const listed = listedFields(answer, this.wanted);
    const left = listed.length - this.shown;
    return html`
      <div class="panel-bar">
        <input type="search" placeholder="Find fields" aria-label="Find fields in the table" .value=${this.wanted} @input=${(e) => (this.wanted = e.target.value)} />
        <p class="panel-count" role="status">${this.#summary(listed)}</p>
      </div>
      <div class="scroller ${this.stale ? 'stale' : ''}" role="region" aria-label="Fields of the view" tabindex="0">
        <table class="table rows fields-table">
          <thead><tr><th scope="col"><span class="visually-hidden">Column</span></th><th scope="col">Field</th><th scope="col">Kind</th><th scope="col">In events</th><th scope="col" class="number">Different values</th><th scope="col">Most frequent values</th></tr></thead>
          <tbody>${repeat(listed.slice(0, this.shown), ({ name }) => name, (field) => this.#row(field))}</tbody>
        </table>
      </div>
      ${left > 0 ? html`<p class="foot"><button type="button" class="button button-small" @click=${() => (this.shown += SHOWN)}>Show ${count(Math.min(left, SHOWN))} of ${count(left)} more fields</button></p>` : nothing}
    `;
  }

  #summary(listed) {
    const { events, more, sampled } = this.answer;
    const which = more ? `The ${counted(listed.length, 'field')} that most events have` : counted(listed.length, 'field');
    return `${which}, of ${counted(events, 'event')}${sampled === undefined ? '' : `; estimates, as ${percent(sampled)} of the time was read`}`;
  }

  #row({ name, short, share, events, field }) {
    const isColumn = this.columns.includes(name);
    return html`
      <tr>
        <td><button type="button" class="field-star" aria-pressed=${isColumn} aria-label=${`Column ${short}`} title=${isColumn ? 'Remove the column' : 'Show as a column'} @click=${() => this.#turn(name, isColumn)}>${star}</button></td>
        <th scope="row"><button type="button" class="field-link cut" title=${`All values and figures of ${name}`} @click=${() => this.tell('field', name)}>${short}</button></th>
        <td>${kindsText(field)}</td>
        <td title=${counted(events, 'event')}><span class="fill"><span class="fill-bar"><span .style=${`width:${share * 100}%`}></span></span><span class="fill-text">${percent(share)}</span></span></td>
        <td class="number">${distinctText(field)}</td>
        <td><div class="frequent">${(field.values ?? []).slice(0, VALUES).map((value) => this.#value(name, short, value, field))}</div></td>
      </tr>
    `;
  }

  #value(name, short, { value, count: of }, { events, values_exact: exact }) {
    const text = kindOf(value) === 'string' ? value : brief(value);
    const share = `${exact ? '' : '~'}${percent(events > 0 ? Math.min(1, of / events) : 0)}`;
    const shown = html`<code class="cut json-${kindOf(value)}">${text === '' ? '""' : text}</code> <span class="field-share">${share}</span>`;
    if (!canSay(name, value)) return html`<span class="frequent-value">${shown}</span>`;
    return html`<button type="button" class="frequent-value" title=${`Only ${short} ${brief(value)}`} @click=${() => this.tell('clause', hasValue(name, value))}>${shown}</button>`;
  }

  #turn(name, isColumn) {
    if (isColumn) this.tell('columns', this.columns.filter((column) => column !== name));
    else this.tell('column', name);
  }
}

const distinctText = ({ distinct, distinct_exact: exact }) => (distinct == null ? '–' : `${exact ? '' : '~'}${count(distinct)}`);

customElements.define('fields-table', FieldsTable);
