import { html, nothing } from 'lit';

import { shortName } from '../../model/fields.js';
import { typedField } from '../../model/filter/field-clauses.js';
import { nearestFields } from '../../model/filter/nearest.js';
import { isMissing, withField } from '../../model/filter/offers.js';
import './filter-box.js';
import { warning } from '../icons.js';
import { searchHelp } from './search-help.js';
import { View } from '../view.js';

/** A pause of the typing hand; then the server is asked what the text means. */
const PAUSE_MILLIS = 180;

/** Behind these more is to come, so that it would be refused. */
const OPEN = /[:<>=!(]$/;
const PAUSE_WHEN_OPEN_MILLIS = 1_000;

/** Keeps the line of the meaning, so that the page below does not move when that comes. */
const unsaid = html`<p class="search-meaning" aria-hidden="true">&nbsp;</p>`;

/** The filter of the events, written in one text as docs/filters.md has it. Tells `filter` with the text. */
export class SearchBar extends View {
  static properties = {
    /** The filter of the view. */
    q: {},
    /** Why the filter of the view cannot be read, from refusalOf, or null. */
    refusal: { attribute: false },
    /** After a refusal, what was there before is still shown. */
    kept: { type: Boolean },
    /** An error of the server, of a clause that was not added; or null. */
    failure: { attribute: false },
    /** A FilterMeanings, and what it has for the filter of the view. */
    meanings: { attribute: false },
    meaningOfView: { attribute: false },
    /** From examplesOf. */
    examples: { attribute: false },
    /** Fields of the view by name, whether these are all, its types, and what gives the values of a field. */
    fields: { attribute: false },
    knowsAll: { type: Boolean },
    types: { attribute: false },
    valuesOf: { attribute: false },
    /** What the box holds. */
    text: { state: true },
    /** The reader asked for what cannot be read. */
    insists: { state: true },
    /** A long meaning is shown whole. */
    unfolded: { state: true },
    /** The meaning that was told last. */
    meaning: { state: true },
  };

  #timer;
  #asked = null;

  constructor() {
    super();
    this.text = '';
    this.insists = false;
    this.unfolded = false;
    this.meaning = null;
    this.addEventListener('write', (e) => this.#write(e.detail));
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#forget();
  }

  /** The box follows the address when it changes; in between it is the reader's. */
  willUpdate(changed) {
    if (changed.has('q')) {
      this.text = this.q;
      this.insists = false;
      this.#forget();
    }
    this.meaning = this.meanings.known(this.text.trim()) ?? this.meaning;
  }

  render() {
    const refusal = this.#refusalShown;
    return html`
      <form class="search" role="search" aria-label="Filter of the events" @submit=${this.#onSubmit}>
        <div class="filter-row">
          <filter-box .value=${this.text} .fields=${this.fields} .types=${this.types} .valuesOf=${this.valuesOf} ?expression=${this.meaning?.language === 'cel'}
            ?invalid=${refusal !== null && this.#isAsked} .describedBy=${refusal ? 'search-refusal' : ''}></filter-box>
          ${this.text !== '' || this.q !== '' ? html`<button type="button" class="button" @click=${() => this.#ask('')}>Clear</button>` : nothing}
          <button type="submit" class="button button-strong">Search</button>
          ${searchHelp(this.examples, (q) => this.#fill(q))}
        </div>
        ${refusal ? this.#refused(refusal) : this.#says()}
        ${this.failure ? html`<p class="search-refusal" role="alert">${warning}<span>This was not added to the filter: ${this.failure.filter?.reason ?? this.failure.detail ?? this.failure.title}</span></p>` : nothing}
      </form>
    `;
  }

  /** Shows how filters are written. */
  help() {
    const help = this.querySelector('[data-name="search-help"]');
    help.scrollIntoView({ block: 'nearest' });
    if (!help.open) help.querySelector('summary').click();
  }

  /** Whether the text is the filter of the view, or was to become it. */
  get #isAsked() {
    return this.insists || this.text === this.q;
  }

  /** Of the text in the box; the view's own is there before the text is asked about. */
  get #refusalShown() {
    const ofText = this.meaning?.refusal?.q === this.text.trim() ? this.meaning.refusal : null;
    return ofText ?? (this.text === this.q ? this.refusal : null);
  }

  /** What the text means where that is not what it says. */
  #says() {
    const { meaning } = this;
    if (this.text.trim() === '') return nothing;
    if (!meaning || meaning.refusal) return unsaid;
    const { q, where, word, type, id } = meaning;
    const meant = this.#fieldMeant(meaning);
    const parts = [
      ...(type.length > 0 ? [html`<span class="hint">type</span> ${type.map((one, i) => html`${i > 0 ? html` <span class="hint">or</span> ` : nothing}<code>${one}</code>`)}`] : []),
      ...(id !== null ? [html`<span class="hint">the event with this id, at any time</span>`] : where === '' || where === q ? [] : [html`<code>${where}</code>`]),
      ...word.map((text) => html`<span class="hint">words</span> <code>${text}</code>`),
    ];
    if (parts.length === 0 && !meant) return unsaid;
    return html`
      <p class="search-meaning ${q === this.text.trim() ? '' : 'stale'}" data-testid="meaning">
        ${parts.length > 0 ? html`<button type="button" class="search-meant" aria-expanded=${this.unfolded} title=${this.unfolded ? 'Fold' : 'Show all of it'} @click=${() => (this.unfolded = !this.unfolded)}
          ><span class="hint">means</span> ${parts.map((part, i) => html`${i > 0 ? html` <span class="hint">and</span> ` : nothing}${part}`)}${word.length > 0 ? html` <span class="hint">anywhere, in any case</span>` : nothing}</button>` : nothing}
        ${meant ? html`<span class="search-advice">${meant.says} ${this.#mend(meant.fix)}</span>` : nothing}
      </p>
    `;
  }

  /** A field that no event of the view has, with the one that may be meant; null where all are there or none is near. */
  #fieldMeant(meaning) {
    const known = [...this.fields.keys()];
    const missing = this.knowsAll ? meaning.fields.find(({ field }) => isMissing(field, known)) : undefined;
    const nearest = missing && nearestFields(missing.field, known).find((name) => typedField(name) !== null);
    if (!nearest) return null;
    return { says: `No event here has ${shortName(missing.field)}. Did you mean ${shortName(nearest)}?`, fix: withField(meaning, missing, nearest) };
  }

  #mend(q) {
    return html`<button type="button" class="button button-small" title=${q} @click=${() => this.#search(q)}>Use that</button>`;
  }

  /** One line: why, where, and what may be meant. It is an alert only once the reader asked. */
  #refused({ q, reason, from, to, fix }) {
    const isAsked = this.#isAsked;
    return html`
      <div class="search-refusal" id="search-refusal" data-asked=${isAsked} role=${isAsked ? 'alert' : 'status'}>
        ${isAsked ? warning : nothing}
        <span class="search-text">${q.slice(0, from)}<mark>${q.slice(from, to) || ' '}</mark>${q.slice(Math.max(from, to))}</span>
        <span class="search-reason">${reason}</span>
        ${fix === null ? nothing : html`<span class="search-fix"><code>${fix}</code> ${this.#mend(fix)}</span>`}
        ${this.kept && isAsked && this.text === this.q ? html`<span class="hint">The previous results are still shown.</span>` : nothing}
      </div>
    `;
  }

  #write(text) {
    this.text = text;
    this.insists = false;
    this.#forget();
    this.#timer = setTimeout(() => this.#learn().catch(() => {}), OPEN.test(text) ? PAUSE_WHEN_OPEN_MILLIS : PAUSE_MILLIS);
  }

  /** Asks what the text means; the question before it ends. */
  async #learn() {
    this.#forget();
    this.#asked = new AbortController();
    const meaning = await this.meanings.of(this.text.trim(), this.#asked.signal);
    this.requestUpdate();
    return meaning;
  }

  #forget() {
    clearTimeout(this.#timer);
    this.#asked?.abort();
  }

  #fill(q) {
    this.#write(q);
    this.querySelector('filter-box').focus();
  }

  #onSubmit(event) {
    event.preventDefault();
    this.#search(this.text);
  }

  /** Nothing is asked for that cannot be read; where the server does not say, the view shows what fails. */
  async #search(text) {
    this.text = text;
    const meaning = await this.#learn().catch(() => null);
    if (this.text !== text) return;
    if (meaning?.refusal) this.insists = true;
    else this.#ask(text.trim());
  }

  #ask(q) {
    this.#forget();
    this.text = q;
    this.insists = false;
    this.tell('filter', q);
  }
}

customElements.define('search-bar', SearchBar);
