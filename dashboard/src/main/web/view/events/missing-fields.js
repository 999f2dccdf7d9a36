import { Task } from '@lit/task';
import { html, nothing } from 'lit';

import { shortName } from '../../model/fields.js';
import { fieldsNamed, isKnown, nearestFields, withField } from '../../model/filter/named-fields.js';
import { View } from '../view.js';

/** As many fields as the server names at most. */
const FIELDS_MAX = 1_000;

/** Which fields of an expression no event of the view has, and those that may have been meant. Tells `filter`. */
export class MissingFields extends View {
  static properties = {
    client: { attribute: false },
    /** The span and the types, as parameters. */
    query: { attribute: false },
    where: {},
    noun: {},
  };

  #found = new Task(this, {
    args: () => [this.where, JSON.stringify(this.query)],
    task: ([where], { signal }) => this.#ask(fieldsNamed(where), signal),
  });

  render() {
    return this.#found.render({
      complete: ({ missing, known, sampled }) => missing.map((field) => this.#missing(field, nearestFields(field.name, known), sampled)),
      error: () => nothing,
    });
  }

  /** A field that is not among the first so many names is asked for by itself. */
  async #ask(named, signal) {
    if (named.length === 0) return { missing: [] };
    const { fields, more, sampled, events } = await this.client.fields({ ...this.query, n: FIELDS_MAX }, signal);
    const known = fields.map(({ field }) => field);
    const missing = [];
    for (const field of events > 0 ? named : []) {
      if (isKnown(field.name, known)) continue;
      const within = more ? (await this.client.fields({ ...this.query, prefix: field.name }, signal)).fields : [];
      if (!isKnown(field.name, within.map((other) => other.field))) missing.push(field);
    }
    return { missing, known, sampled };
  }

  #missing(field, nearest, sampled) {
    return html`
      <p>${sampled === undefined ? `No event of this ${this.noun}` : `No event of a sample of this ${this.noun}`} has <code>${field.name}</code>.${nearest.length > 0 ? ' Nearest to it:' : nothing}
        ${nearest.map((name) => html`<button type="button" class="button button-small"
          @click=${() => this.tell('filter', { where: withField(this.where, field, name) })}>${shortName(name)}</button> `)}</p>
    `;
  }
}

customElements.define('missing-fields', MissingFields);
