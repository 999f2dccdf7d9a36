import { html, nothing } from 'lit';

import { didYouMean, fieldMeant, plainReason } from '../../model/filter/did-you-mean.js';
import { shortName } from '../../model/fields.js';
import { meaningOf, oneLine, textOf } from '../../model/filter/filter-language.js';
import { TypedFilters } from '../../model/filter/typed-filters.js';
import './filter-box.js';
import { warning } from '../icons.js';
import { searchHelp } from './search-help.js';
import { View } from '../view.js';

/** Which events are shown, written in one text: simple words or CEL. Tells `filter`. */
export class SearchBar extends View {
  static properties = {
    contains: {},
    where: {},
    icase: { type: Boolean },
    /** From refusalOf, or null. */
    refusal: { attribute: false },
    /** After a refusal, what was there before is still shown. */
    kept: { type: Boolean },
    /** From examplesOf. */
    examples: { attribute: false },
    /** Fields of the view by name, whether these are all, its types, and what gives the values of a field. */
    fields: { attribute: false },
    knowsAll: { type: Boolean },
    types: { attribute: false },
    valuesOf: { attribute: false },
    /** What the box holds. */
    text: { state: true },
    ignoring: { state: true },
    /** The reader asked for what cannot be asked for. */
    unclear: { state: true },
  };

  #typed = new TypedFilters();

  constructor() {
    super();
    this.text = '';
    this.ignoring = false;
    this.unclear = false;
    this.addEventListener('write', (e) => this.#write(e.detail));
  }

  /** The box follows the address when it changes; in between it is the reader's. */
  willUpdate(changed) {
    if (changed.has('icase')) this.ignoring = this.icase;
    if (!changed.has('contains') && !changed.has('where')) return;
    this.text = this.#typed.textFor(this) ?? textOf(this);
    this.unclear = false;
  }

  render() {
    const { refusal } = this;
    const meaning = meaningOf(this.text, this.fields);
    const changed = !this.#isShown(meaning);
    const described = refusal && !changed ? 'search-refusal' : this.unclear ? 'search-unclear' : '';
    return html`
      <form class="search" role="search" aria-label="Filter of the events" @submit=${this.#onSubmit}>
        <div class="filter-row">
          <filter-box .value=${this.text} .fields=${this.fields} .types=${this.types} .valuesOf=${this.valuesOf} ?invalid=${described !== ''} .describedBy=${described}></filter-box>
          <button type="button" class="button search-case" aria-pressed=${this.ignoring} aria-label="Ignore case of the text" title="Ignore case of the text" @click=${this.#onCase}>Aa</button>
          ${this.text !== '' || this.#active ? html`<button type="button" class="button" @click=${() => this.#ask({ contains: '', where: '' }, '')}>Clear</button>` : nothing}
          <button type="submit" class="button button-strong">Search</button>
          ${searchHelp(this.examples, (where) => this.#fill(where))}
        </div>
        ${this.#says(meaning, changed)}
        ${refusal && !changed ? this.#refused(refusal) : nothing}
      </form>
    `;
  }

  get #active() {
    return this.contains !== '' || this.where !== '';
  }

  #isShown({ filter }) {
    if (this.text === this.#typed.textFor(this) || this.text === textOf(this)) return true;
    return filter !== null && filter.contains === this.contains && filter.where === this.where;
  }

  /** What the text means where that is not what it says. */
  #says(meaning, changed) {
    const { mode, filter, problem } = meaning;
    if (filter === null) return this.#unreadable(problem);
    const shown = changed ? filter : this;
    const meant = this.knowsAll && filter.where !== '' ? fieldMeant(filter.where, [...this.fields.keys()]) : null;
    const line = oneLine(this.text);
    const plain = mode === 'empty' || (mode === 'cel' ? shown.where === line : shown.where === '' && shown.contains === line && !line.includes(' '));
    if (plain && !meant) return nothing;
    const ignoring = shown.contains !== '' && this.ignoring ? html` <span class="hint">in any case</span>` : nothing;
    return html`
      <p class="search-meaning" data-testid="meaning">${plain ? nothing : html`
        <span class="hint">means</span>
        ${shown.contains === '' ? nothing : html`<span><span class="hint">contains</span> <code>${shown.contains}</code>${ignoring}</span>`}
        ${shown.contains !== '' && shown.where !== '' ? html`<span class="hint">and</span>` : nothing}
        ${shown.where === '' ? nothing : html`<code>${shown.where}</code>`}`}
        ${meant ? html`<span class="search-advice">${meant.says} ${this.#mend(() => this.#renamed(filter, meant))}</span>` : nothing}
      </p>
    `;
  }

  #unreadable({ message, fix }) {
    return html`<p class="search-meaning ${this.unclear ? 'search-unclear' : ''}" id="search-unclear" role=${this.unclear ? 'alert' : nothing}>
      ${this.unclear ? warning : nothing}<span>${message}</span> ${fix ? this.#mend(() => fix) : nothing}</p>`;
  }

  #mend(text) {
    return html`<button type="button" class="button button-small" @click=${() => this.#search(text())}>Use that</button>`;
  }

  /** The text with another field: in its own words where the name is there once. */
  #renamed(filter, { name, nearest, fix }) {
    const [written, other] = [shortName(name), shortName(nearest)];
    return this.text.split(written).length === 2 ? this.text.replace(written, () => other) : textOf({ ...filter, where: fix });
  }

  #refused({ parameter, column, reason }) {
    const text = this[parameter];
    const advice = parameter === 'where' ? didYouMean(text, [...this.fields.keys()]) : null;
    return html`
      <div class="search-refusal" id="search-refusal" role="alert">
        ${warning}
        <div>
          <p>${column ? `At column ${column}: ` : ''}${advice?.says ?? plainReason(reason)} ${advice?.fix ? this.#mend(() => textOf({ contains: this.contains, where: advice.fix })) : nothing}</p>
          ${column ? html`<p class="search-text">${pointedAt(text, column)}</p>` : nothing}
          ${this.kept ? html`<p>The previous results are still shown.</p>` : nothing}
        </div>
      </div>
    `;
  }

  #write(text) {
    this.text = text;
    this.unclear = false;
  }

  #fill(where) {
    this.#write(where);
    this.querySelector('filter-box').focus();
  }

  #onCase() {
    this.ignoring = !this.ignoring;
    if (this.contains !== '') this.#search(this.text);
  }

  #onSubmit(event) {
    event.preventDefault();
    this.#search(this.text);
  }

  #search(text) {
    this.text = text;
    const { filter } = this.#isShown(meaningOf(text, this.fields)) ? { filter: this } : meaningOf(text, this.fields);
    if (filter === null) this.unclear = true;
    else this.#ask({ contains: filter.contains, where: filter.where }, text);
  }

  #ask(filter, text) {
    this.text = text;
    this.unclear = false;
    this.#typed.keep(filter, text);
    this.tell('filter', { ...filter, icase: this.ignoring && filter.contains !== '' });
  }
}

/** The expression with the word at the column marked; columns count characters from 1. */
function pointedAt(text, column) {
  const characters = Array.from(text);
  const before = characters.slice(0, column - 1).join('');
  const rest = characters.slice(column - 1).join('');
  const [word] = /^\w+|^[^]?/u.exec(rest);
  return html`${before}<mark>${word || ' '}</mark>${rest.slice(word.length)}`;
}

customElements.define('search-bar', SearchBar);
