import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';

import { listedFields, letterOf } from '../../model/field-list.js';
import { count, percent } from '../../model/format.js';
import { bones } from '../callout.js';
import './field-values.js';
import { star } from '../icons.js';
import { View } from '../view.js';

/**
 * The fields of the view: kind, name, in how many events. A click shows values, a star makes a column. Tells `column`,
 * `columns`, `clause`, `field` and `fields-again`.
 */
export class FieldList extends View {
  static properties = {
    client: { attribute: false },
    /** The answer of /fields, or null; whether it is of an older question; why there is none. */
    answer: { attribute: false },
    stale: { type: Boolean },
    failure: { attribute: false },
    /** The span, types and filter, as parameters. */
    query: { attribute: false },
    columns: { attribute: false },
    wanted: { state: true },
    /** The name of the field whose values are shown, or null. */
    open: { state: true },
  };

  constructor() {
    super();
    this.wanted = '';
    this.open = null;
  }

  render() {
    const { answer, failure } = this;
    if (!answer) return failure ? this.#failed(failure) : bones(6);
    const listed = listedFields(answer, this.wanted);
    return html`
      <input type="search" class="types-search" placeholder="Find fields" aria-label="Find fields" .value=${this.wanted} @input=${(e) => (this.wanted = e.target.value)} />
      ${failure ? this.#failed(failure) : nothing}
      <ul class="fields ${this.stale ? 'stale' : ''}">${repeat(listed, ({ name }) => name, (field) => this.#field(field))}</ul>
      ${this.#notes(answer, listed)}
    `;
  }

  #failed({ title }) {
    return html`<p class="hint field-note">The fields could not be read: ${title} <button type="button" class="button button-small" @click=${() => this.tell('fields-again')}>Try again</button></p>`;
  }

  #field({ name, short, kind, share, events, field }) {
    const open = this.open === name;
    const isColumn = this.columns.includes(name);
    return html`
      <li class="field ${open ? 'field-open' : ''}">
        <span class="field-row">
          <button type="button" class="field-name" aria-expanded=${open} title=${`${name}: ${kind}, in ${count(events)} events`} data-field=${name} @click=${() => (this.open = open ? null : name)}
            ><span class="field-kind" aria-hidden="true">${letterOf(kind)}</span><span class="field-short cut">${short}</span><span class="field-share">${percent(share)}</span></button>
          <button type="button" class="field-star" aria-pressed=${isColumn} aria-label=${`Column ${short}`} title=${isColumn ? 'Remove the column' : 'Show as a column'} @click=${() => this.#turn(name, isColumn)}>${star}</button>
        </span>
        ${open ? html`<field-values .client=${this.client} .query=${this.query} .name=${name} .field=${field}></field-values>` : nothing}
      </li>
    `;
  }

  #turn(name, isColumn) {
    if (isColumn) this.tell('columns', this.columns.filter((column) => column !== name));
    else this.tell('column', name);
  }

  #notes({ fields, more, sampled, events }, listed) {
    const notes = [];
    if (events === 0) notes.push('No events, so no fields');
    else if (listed.length === 0) notes.push(`No field has “${this.wanted}” in its name`);
    if (more) notes.push(`The ${count(fields.length)} fields that most events have; there are more`);
    if (sampled !== undefined) notes.push(`Estimates: ${percent(sampled)} of the time was read, and rare fields may be missing`);
    return notes.map((note) => html`<p class="hint field-note">${note}</p>`);
  }
}

customElements.define('field-list', FieldList);
