import { html, nothing } from 'lit';

import { count } from '../model/format.js';
import { kindOf } from '../model/json-preview.js';
import { View } from './view.js';

/** Members shown at a time, and characters of a string: a payload may be a mebibyte. */
const MEMBERS = 200;
const CHARACTERS_MAX = 10_000;

/** An object or array of up to this many members is open from the start. */
const OPEN_UP_TO = 12;

/** The members of a JSON value; nested ones fold, and are rendered when first opened. */
export class JsonTree extends View {
  static properties = {
    value: { attribute: false },
    depth: { type: Number },
    shown: { state: true },
    opened: { state: true },
  };

  constructor() {
    super();
    this.depth = 0;
    this.shown = MEMBERS;
    this.opened = new Set();
  }

  render() {
    const { value } = this;
    if (!isNested(value)) return html`<div class="json">${leaf(value)}</div>`;
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
    if (!isNested(value) || Object.keys(value).length === 0) return html`${key} ${isNested(value) ? html`<span class="json-dim">${sizeOf(value)}</span>` : leaf(value)}`;
    const open = this.#isOpen(name, value);
    return html`
      <details ?open=${open} @toggle=${(e) => this.#onToggle(e, name)}>
        <summary>${key} <span class="json-dim">${sizeOf(value)}</span></summary>
        ${open ? html`<json-tree .value=${value} .depth=${this.depth + 1}></json-tree>` : nothing}
      </details>
    `;
  }

  #isOpen(name, value) {
    if (this.opened.has(name)) return true;
    return !this.opened.has(`-${name}`) && this.depth < 2 && Object.keys(value).length <= OPEN_UP_TO;
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

function leaf(value) {
  const kind = kindOf(value);
  const text = kind === 'string' ? JSON.stringify(value) : String(value);
  if (text.length <= CHARACTERS_MAX) return html`<span class="json-${kind}">${text}</span>`;
  return html`<span class="json-${kind}">${text.slice(0, CHARACTERS_MAX)}</span
    ><span class="json-dim">… ${count(text.length)} characters; copy to have them all</span>`;
}

customElements.define('json-tree', JsonTree);
