import { Task } from '@lit/task';
import { html, nothing } from 'lit';

import { shortName } from '../../model/fields.js';
import { count } from '../../model/format.js';
import { closeDropDown, dropDown } from '../drop-down.js';
import { View } from '../view.js';

/** Fields that are asked for, those in most events first. */
const FIELDS_MAX = 300;

/** A button with the name of a field, and a list to choose another one from. Tells `field-chosen` with its name. */
export class FieldChoice extends View {
  static properties = {
    client: { attribute: false },
    /** The selection whose fields are offered, as parameters. */
    query: { attribute: false },
    /** What the choice is for: `By`, `Of`. */
    label: {},
    /** The name chosen. */
    chosen: {},
    /** How the name chosen reads. */
    text: {},
    /** Only fields with numbers. */
    numbers: { type: Boolean },
    /** Choices before the fields: `[[name, text]]`. */
    first: { attribute: false },
    /** Whether the list was opened: only then the fields are asked for. */
    opened: { state: true },
    typed: { state: true },
  };

  #fields = new Task(this, {
    args: () => [this.opened && JSON.stringify(this.query)],
    task: ([wanted], { signal }) => (wanted ? this.client.fields({ ...this.query, n: FIELDS_MAX }, signal) : null),
  });

  constructor() {
    super();
    this.first = [];
    this.opened = false;
    this.typed = '';
  }

  render() {
    return dropDown({
      name: this.label.toLowerCase(),
      kind: 'button-small choice-button',
      label: html`<span class="choice-label">${this.label}</span> <b class="cut">${this.text}</b>`,
      onOpen: () => this.#open(),
      onClose: () => this.#close(),
      content: html`
        <input type="search" class="choice-search" aria-label="Name of a field" placeholder="name of a field" autocomplete="off" spellcheck="false"
          .value=${this.typed} @input=${(e) => (this.typed = e.target.value)} @keydown=${this.#onKey} />
        <div class="choice-list" role="group" aria-label=${this.label}>${this.opened ? this.#list() : nothing}</div>
      `,
    });
  }

  /** Told a moment after the list is there: its reader may have begun to write. */
  #open() {
    this.opened = true;
    this.updateComplete.then(() => this.querySelector('.choice-search')?.focus());
  }

  #close() {
    this.opened = false;
    this.typed = '';
  }

  #list() {
    const first = this.first.filter(([, text]) => this.#fits(text)).map(([name, text]) => this.#choice(name, text));
    return this.#fields.render({
      pending: () => html`${first}<p class="hint" role="status">Looking for fields…</p>`,
      complete: (answer) => html`${first}${this.#choices(answer)}`,
      error: () => html`${first}<p class="hint" role="status">The fields could not be read</p>`,
    });
  }

  #choices(answer) {
    const known = (answer?.fields ?? []).filter((f) => (this.numbers ? f.kinds.number > 0 : isValue(f)) && this.#fits(f.field));
    if (known.length === 0) return html`<p class="hint">${this.numbers ? 'No such field with numbers' : 'No such field'}</p>`;
    return known.map((f) => this.#choice(f.field, shortName(f.field), html`<span class="choice-count">${count(f.events)}</span>`));
  }

  #choice(name, text, aside = nothing) {
    return html`<button type="button" class="choice-line" aria-pressed=${name === this.chosen} @click=${(e) => this.#choose(e, name)}><span class="choice-name">${text}</span>${aside}</button>`;
  }

  #choose({ currentTarget }, name) {
    closeDropDown(currentTarget);
    this.querySelector('summary').focus();
    this.tell('field-chosen', name);
  }

  /** Enter takes the first of the list. */
  #onKey(event) {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    this.querySelector('.choice-line')?.click();
  }

  #fits(text) {
    return text.toLowerCase().includes(this.typed.trim().toLowerCase());
  }
}

/** Whether some events have a value there that is neither an object nor a list. */
const isValue = ({ kinds }) => Object.entries(kinds).some(([kind, events]) => events > 0 && kind !== 'object' && kind !== 'list');

customElements.define('field-choice', FieldChoice);
