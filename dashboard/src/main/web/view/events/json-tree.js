import { html, nothing } from 'lit';

import { canFilter, having, without } from '../../model/filter/cel.js';
import { fieldName } from '../../model/fields.js';
import { isGroupId } from '../../model/group-ids.js';
import { count } from '../../model/format.js';
import { brief, kindOf } from '../../model/json-preview.js';
import '../copy-button.js';
import { funnel, link, minus, plus } from '../icons.js';
import { marked } from './marked.js';
import { View } from '../view.js';

/** Members shown at a time, and characters of a string: a payload may be a mebibyte. */
const MEMBERS = 200;
const CHARACTERS_MAX = 10_000;

/** An object or array of up to this many members is open from the start. */
const OPEN_UP_TO = 12;

/**
 * The members of a JSON value; nested ones fold, and are rendered when first opened. A value is clicked to filter by
 * it: tells `clause` with what is to be added to `where`, `together` with the clause for all events of an id, `column`
 * and `field` with the name of a field.
 */
export class JsonTree extends View {
  static properties = {
    value: { attribute: false },
    /** Names and indexes that lead here from the payload. */
    path: { attribute: false },
    /** What was searched, from marksOf, or null. */
    marks: { attribute: false },
    shown: { state: true },
    opened: { state: true },
    /** The member with an open menu, or null. */
    asked: { state: true },
  };

  constructor() {
    super();
    this.path = [];
    this.marks = null;
    this.asked = null;
    this.shown = MEMBERS;
    this.opened = new Set();
  }

  render() {
    const { value } = this;
    if (!isNested(value)) return html`<div class="json">${this.#text(value, this.path)}</div>`;
    const names = Object.keys(value);
    if (names.length === 0) return html`<div class="json"><span class="json-dim">${Array.isArray(value) ? '[]' : '{}'}</span></div>`;
    return html`
      <ul class="json">
        ${names.slice(0, this.shown).map((name) => html`<li>${this.#member(name, value[name])}</li>`)}
        ${names.length > this.shown ? this.#further(names.length - this.shown) : nothing}
      </ul>
    `;
  }

  #member(name, value) {
    const key = html`<span class="json-key">${name}</span>`;
    if (!isNested(value)) return html`${key} ${this.#leaf(name, value)}`;
    if (Object.keys(value).length === 0) return html`${key} <span class="json-dim">${sizeOf(value)}</span>`;
    const open = this.#isOpen(name, value);
    return html`
      <details ?open=${open} @toggle=${(e) => this.#onToggle(e, name)}>
        <summary>${key} <span class="json-dim">${sizeOf(value)}</span></summary>
        ${open ? html`<json-tree .value=${value} .path=${this.#pathOf(name)} .marks=${this.marks}></json-tree>` : nothing}
      </details>
    `;
  }

  #text(value, path) {
    return leaf(value, fieldName(path), this.marks);
  }

  #pathOf(name) {
    return [...this.path, Array.isArray(this.value) ? Number(name) : name];
  }

  #leaf(name, value) {
    const path = this.#pathOf(name);
    if (!canFilter(path, value)) return this.#text(value, path);
    const asked = this.asked === name;
    const what = fieldName(path) ?? name;
    const ask = () => (this.asked = asked ? null : name);
    return html`
      <span class="json-value" @click=${() => getSelection()?.toString() || ask()}>${this.#text(value, path)}</span
      ><span class="json-tools"
        ><button type="button" class="value-button" aria-label=${`Only ${what} ${brief(value)}`} title="Only these" @click=${() => this.tell('clause', having(path, value))}>${plus}</button
        ><button type="button" class="value-button" aria-label=${`Not ${what} ${brief(value)}`} title="Not these" @click=${() => this.tell('clause', without(path, value))}>${minus}</button
        ><copy-button small label=${`Copy ${what}`} .text=${String(value)}></copy-button
        ><button type="button" class="value-button" aria-expanded=${asked} aria-label=${`Filter by ${what}`} title=${`Filter by ${what}`} @click=${ask}>${funnel}</button>${isGroupId(what, value) ? this.#together(path, what, value) : nothing}</span>
      ${asked ? this.#answers(path, value) : nothing}
    `;
  }

  #together(path, what, value) {
    return html`<button type="button" class="value-button" aria-label=${`All with ${what} ${brief(value)}`} title="All events with this id" @click=${() => this.tell('together', having(path, value))}>${link}</button>`;
  }

  #answers(path, value) {
    const name = fieldName(path);
    const answer = (text, event, detail) => html`<button type="button" class="button button-small" @click=${() => this.tell(event, detail)}>${text}</button>`;
    return html`
      <span class="json-answers" role="group" aria-label="Actions for this value">
        ${answer('Only these', 'clause', having(path, value))} ${answer('Not these', 'clause', without(path, value))}
        ${name ? html`${answer('As a column', 'column', name)} ${answer('All values', 'field', name)}` : nothing}
      </span>
    `;
  }

  #isOpen(name, value) {
    if (this.opened.has(name)) return true;
    return !this.opened.has(`-${name}`) && this.path.length < 2 && Object.keys(value).length <= OPEN_UP_TO;
  }

  #onToggle(event, name) {
    if (event.target !== event.currentTarget) return;
    const { open } = event.target;
    const opened = new Set(this.opened);
    opened.delete(open ? `-${name}` : name);
    opened.add(open ? name : `-${name}`);
    this.opened = opened;
  }

  #further(left) {
    return html`<li><button type="button" class="button button-small" @click=${() => (this.shown += MEMBERS)}>
      Show ${count(Math.min(left, MEMBERS))} of ${count(left)} more</button></li>`;
  }
}

const isNested = (value) => ['object', 'array'].includes(kindOf(value));

const sizeOf = (value) => (Array.isArray(value) ? `[${value.length}]` : `{${Object.keys(value).length}}`);

function leaf(value, name, marks) {
  const kind = kindOf(value);
  const text = kind === 'string' ? JSON.stringify(value) : String(value);
  if (text.length <= CHARACTERS_MAX) return html`<span class="json-${kind}">${marked(text, name, marks)}</span>`;
  return html`<span class="json-${kind}">${text.slice(0, CHARACTERS_MAX)}</span
    ><span class="json-dim">… ${count(text.length)} characters; copy to have them all</span>`;
}

customElements.define('json-tree', JsonTree);
