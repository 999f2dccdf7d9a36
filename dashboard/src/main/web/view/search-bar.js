import { html, nothing } from 'lit';

import { dropDown } from './drop-down.js';
import { warning } from './icons.js';
import { View } from './view.js';

/** Which events are shown: those with a text, and those for which an expression is true. Tells `filter`. */
export class SearchBar extends View {
  static properties = {
    contains: {},
    where: {},
    /** From refusalOf, or null. */
    refusal: { attribute: false },
    /** After a refusal, what was there before is still shown. */
    kept: { type: Boolean },
    /** From examplesOf. */
    examples: { attribute: false },
    /** The fields differ from the shown filter. */
    changed: { state: true },
  };

  constructor() {
    super();
    this.changed = false;
  }

  render() {
    const { refusal } = this;
    const active = this.contains !== '' || this.where !== '';
    return html`
      <form class="search" role="search" aria-label="Filter of the events" @submit=${this.#onSubmit} @input=${() => (this.changed = !this.#isShown())}>
        <div class="search-fields">
          <label class="search-field"><span class="visually-hidden">Contains</span
            ><input type="search" name="text" placeholder="text in the event" spellcheck="false" autocomplete="off"
              aria-invalid=${refusal?.parameter === 'contains'} aria-describedby=${refusal ? 'search-refusal' : nothing} /></label>
          <label class="search-field search-where"><span class="visually-hidden">Where</span
            ><textarea name="expression" rows="1" maxlength="4096" placeholder="data.status &gt;= 500 &amp;&amp; data.path.startsWith(&quot;/api&quot;)"
              spellcheck="false" autocomplete="off" autocapitalize="off" aria-invalid=${refusal?.parameter === 'where'}
              aria-describedby=${refusal ? 'search-refusal' : nothing} @keydown=${this.#onKey}></textarea></label>
          <div class="search-actions">
            <button type="submit" class="button ${this.changed ? 'button-strong' : ''}">Search</button>
            ${active || this.changed ? html`<button type="button" class="button" @click=${() => this.#ask('', '')}>Clear</button>` : nothing}
            ${this.#help()}
          </div>
        </div>
        ${refusal ? this.#refused(refusal) : nothing}
      </form>
    `;
  }

  /** Fields follow the address when it changes; in between they are the reader's. */
  updated(changed) {
    if (!changed.has('contains') && !changed.has('where')) return;
    this.#fields.text.value = this.contains;
    this.#fields.expression.value = this.where;
    this.changed = false;
  }

  #refused({ parameter, column, reason }) {
    const text = this[parameter];
    return html`
      <div class="search-refusal" id="search-refusal" role="alert">
        ${warning}
        <div>
          <p>${column ? `At column ${column}: ` : ''}${reason}</p>
          ${column ? html`<p class="search-text">${pointedAt(text, column)}</p>` : nothing}
          ${this.kept ? html`<p>What was there before is still shown.</p>` : nothing}
        </div>
      </div>
    `;
  }

  #help() {
    return dropDown({
      name: 'examples',
      label: 'Examples',
      content: html`<div class="search-help"><ul>${this.examples.map(({ where, says }) => html`
          <li><button type="button" class="example" @click=${() => this.#fill(where)}><code>${where}</code></button><span>${says}</span></li>`)}
        </ul>
        <p class="hint">Where is written in <abbr title="Common Expression Language">CEL</abbr>, over data, type, time and id. In an event, a click on a value
          adds it here. Contains finds text byte for byte as it was sent.</p>
</div>`,
    });
  }

  /** By names that no property of a form has. */
  get #fields() {
    return this.querySelector('form').elements;
  }

  #isShown() {
    const { text, expression } = this.#fields;
    return text.value === this.contains && oneLine(expression.value) === this.where;
  }

  /** Enter searches; the field is of several lines only to show all of a long expression. */
  #onKey(event) {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    this.querySelector('form').requestSubmit();
  }

  #onSubmit(event) {
    event.preventDefault();
    this.#ask(this.#fields.text.value, oneLine(this.#fields.expression.value));
  }

  #fill(where) {
    this.#fields.expression.value = where;
    this.changed = !this.#isShown();
    this.#fields.expression.focus();
  }

  #ask(contains, where) {
    this.#fields.text.value = contains;
    this.#fields.expression.value = where;
    this.changed = false;
    this.tell('filter', { contains, where });
  }
}

/** Positions are columns of one line. */
const oneLine = (text) => text.trim().replace(/\s*\n\s*/g, ' ');

/** The expression with the word at the column marked; columns count characters from 1. */
function pointedAt(text, column) {
  const characters = Array.from(text);
  const before = characters.slice(0, column - 1).join('');
  const rest = characters.slice(column - 1).join('');
  const [word] = /^\w+|^[^]?/u.exec(rest);
  return html`${before}<mark>${word || ' '}</mark>${rest.slice(word.length)}`;
}

customElements.define('search-bar', SearchBar);
