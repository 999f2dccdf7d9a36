import { html, nothing } from 'lit';

import { SAVED_MAX, wordsOf } from '../../state/searches.js';
import '../copy-button.js';
import { closeDropDown, dropDown } from '../drop-down.js';
import { bookmark, close } from '../icons.js';
import { View } from '../view.js';

/**
 * Searches with a name, and those asked last. Tells `search` and `search-again` with one to open, saved or
 * asked before, `search-save` with a name, `search-remove`, `searches-forget`.
 */
export class SearchesMenu extends View {
  static properties = {
    /** From Searches; the lists are replaced when they change. */
    saved: { attribute: false },
    asked: { attribute: false },
    full: { type: Boolean },
  };

  render() {
    return dropDown({
      name: 'searches',
      entries: ['.choice', 'input'],
      label: html`${bookmark}<span class="visually-hidden">Saved searches</span>`,
      content: html`${this.#form()}${this.#saved()}${this.#asked()}`,
    });
  }

  #form() {
    if (this.full) return html`<p class="hint">${SAVED_MAX} searches are saved, as many as there can be.</p>`;
    return html`
      <form class="column-add" @submit=${this.#onSave}>
        <input name="name" required maxlength="80" aria-label="Name of this search" placeholder="Name of this search" autocomplete="off" />
        <button type="submit" class="button button-small">Save</button>
      </form>
    `;
  }

  #saved() {
    if (this.saved.length === 0) return html`<p class="hint">A saved search keeps the filter, types, columns and chart. Its link works for others too.</p>`;
    return html`<ul class="searches" aria-label="Saved searches">${this.saved.map(({ name, search }) => html`
      <li>${this.#choice('search', search, name, wordsOf(search))}
        <copy-button label="Copy link" .text=${() => new URL(search, location.href).href}></copy-button>
        <button type="button" class="button button-bare" aria-label=${`Delete ${name}`} title="Delete" @click=${(e) => this.#remove(e, name)}>${close}</button></li>`)}</ul>`;
  }

  #asked() {
    if (this.asked.length === 0) return nothing;
    return html`
      <div class="card-head"><h2>Asked before</h2><button type="button" class="button button-small" @click=${() => this.tell('searches-forget')}>Clear history</button></div>
      <ul class="searches searches-asked" aria-label="Asked before">${this.asked.map((search) => html`<li>${this.#choice('search-again', search, wordsOf(search))}</li>`)}</ul>
    `;
  }

  #choice(wish, search, title, says = '') {
    return html`<button type="button" class="choice" title=${says || title} @click=${(e) => this.#open(e, wish, search)}><b class="cut">${title}</b>${says ? html`<span class="cut">${says}</span>` : nothing}</button>`;
  }

  #open({ currentTarget }, wish, search) {
    closeDropDown(currentTarget);
    this.tell(wish, search);
  }

  /** The focus stays in the sheet, whose button for it goes. */
  #remove({ currentTarget }, name) {
    currentTarget.closest('.drop-down-sheet').querySelector('input, .searches .choice')?.focus();
    this.tell('search-remove', name);
  }

  #onSave(event) {
    event.preventDefault();
    const { name } = event.target.elements;
    if (name.value.trim() !== '') this.tell('search-save', name.value.trim());
    name.value = '';
  }
}

customElements.define('searches-menu', SearchesMenu);
