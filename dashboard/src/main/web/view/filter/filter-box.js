import { html, nothing } from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';

import { completed, completionAt } from '../../model/filter/completion.js';
import { View } from '../view.js';

const PLACEHOLDER = 'timeout status>=500 level:(error OR warn) -path:/health';

/**
 * The text of the filter with proposals below it: arrow keys choose one, Tab and Enter take it, Escape closes. Tells
 * `write` with the text, `want-fields` when it is about to be written, and `stop` for Escape without proposals, which also leaves
 * the box.
 */
export class FilterBox extends View {
  static properties = {
    value: {},
    /** Fields by name, types, and whether what is written was refused. */
    fields: { attribute: false },
    types: { attribute: false },
    invalid: { type: Boolean },
    /** Whether the text is an expression of CEL. */
    expression: { type: Boolean },
    /** The id of the element that describes it, or empty. */
    describedBy: {},
    /** Gives the values of a field: `(name, signal) => Promise<unknown[]>`. */
    valuesOf: { attribute: false },
    completion: { state: true },
    active: { state: true },
  };

  #input = createRef();
  #values = new Map();

  /** Whether the values are those of other fields: they are shown until others come. */
  #stale = false;
  #asked = null;
  #cursor = null;

  /** Whether proposals are wanted: from the first letter until they are put away. */
  #writing = false;

  constructor() {
    super();
    this.completion = null;
    this.active = -1;
  }

  render() {
    const proposals = this.completion?.proposals ?? [];
    const open = proposals.length > 0;
    return html`
      <input ${ref(this.#input)} type="text" role="combobox" name="filter" class="filter-text" maxlength="4096" placeholder=${PLACEHOLDER}
        aria-label="Filter" aria-expanded=${open} aria-controls="filter-proposals" aria-autocomplete="list" aria-invalid=${this.invalid ? 'true' : 'false'}
        aria-activedescendant=${open && this.active >= 0 ? `proposal-${this.active}` : nothing} aria-describedby=${this.describedBy || nothing}
        spellcheck="false" autocomplete="off" autocapitalize="off" .value=${this.value}
        @input=${this.#onInput} @keydown=${this.#onKey} @focus=${this.#onFocus} @blur=${this.#close} />
      <ul id="filter-proposals" class="proposals floating" role="listbox" aria-label="Proposals" ?hidden=${!open}>
        ${proposals.map((proposal, i) => html`
          <li id=${`proposal-${i}`} role="option" class="proposal" aria-selected=${i === this.active} @pointerdown=${(e) => this.#onPick(e, i)}
            ><span class="proposal-kind" aria-hidden="true">${proposal.kind[0]}</span><code class="cut">${proposal.text.trim()}</code><span class="proposal-says">${proposal.says}</span></li>`)}
      </ul>
    `;
  }

  /** Proposals grow with what becomes known; with other fields, the view and the values are others too. */
  willUpdate(changed) {
    const input = this.#input.value;
    if (changed.has('fields')) this.#stale = true;
    if ((changed.has('fields') || changed.has('types') || changed.has('expression')) && input && this.#writing) this.#renew(input);
  }

  updated() {
    if (this.#cursor !== null) this.#input.value.setSelectionRange(this.#cursor, this.#cursor);
    this.#cursor = null;
    this.querySelector('.proposal[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }

  focus() {
    this.#input.value.focus();
  }

  #onInput({ target }) {
    this.tell('write', target.value);
    this.#writing = true;
    this.#propose(target.value, target.selectionStart);
  }

  #propose(text, cursor) {
    const known = { fields: this.fields, types: this.types, values: this.#values, isExpression: this.expression };
    this.completion = completionAt(text, cursor, known);
    this.active = -1;
    this.#askValues(text, cursor, this.completion?.valuesOf);
  }

  /** The chosen proposal stays chosen, unless it is gone. */
  #renew({ value, selectionStart }) {
    const chosen = this.completion?.proposals[this.active]?.text;
    this.#propose(value, selectionStart);
    this.active = this.completion?.proposals.findIndex(({ text }) => text === chosen) ?? -1;
  }

  /** The span or the types may be others since the box was left. */
  #onFocus() {
    this.#values = new Map();
    this.tell('want-fields');
  }

  /** Values that are not known yet; what is typed meanwhile decides whether they are still wanted. */
  async #askValues(text, cursor, name) {
    if (!name?.startsWith('data.') || (this.#values.has(name) && !this.#stale)) return;
    this.#asked?.abort();
    this.#asked = new AbortController();
    const { signal } = this.#asked;
    const values = await this.valuesOf(name, signal);
    const input = this.#input.value;
    if (values === null || signal.aborted || this.completion?.valuesOf !== name) return;
    this.#values = new Map([[name, values]]);
    this.#stale = false;
    if (document.activeElement === input) this.#renew(input);
  }

  #onKey(event) {
    if (event.isComposing) return;
    const count = this.completion?.proposals.length ?? 0;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') this.#move(event, count);
    else if (event.key === 'Escape' && count > 0) {
      event.preventDefault();
      event.stopPropagation();
      this.#close();
    } else if (event.key === 'Escape') {
      this.tell('stop');
      event.target.blur(); // so that the keys of the page hold again
    }
    else if (count > 0 && this.active >= 0 && (event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey))) this.#take(event, this.active);
    else if (event.key === 'Enter') this.#close();
  }

  #move(event, count) {
    event.preventDefault();
    const down = event.key === 'ArrowDown';
    this.#writing = true;
    if (count === 0 && down) this.#propose(this.#input.value.value, this.#input.value.selectionStart);
    else if (count > 0) this.active = down ? (this.active + 1) % count : (this.active <= 0 ? count : this.active) - 1;
  }

  #take(event, i) {
    event.preventDefault();
    const { value } = this.#input.value;
    const { text, cursor } = completed(value, this.completion, this.completion.proposals[i]);
    this.#input.value.value = text;
    this.#cursor = cursor;
    this.tell('write', text);
    this.#propose(text, cursor);
  }

  /** The focus stays in the field. */
  #onPick(event, i) {
    this.#take(event, i);
  }

  #close() {
    this.#writing = false;
    this.completion = null;
    this.active = -1;
    this.#asked?.abort();
  }
}

customElements.define('filter-box', FilterBox);
