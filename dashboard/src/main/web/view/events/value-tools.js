import { html, nothing } from 'lit';

import { canSay, hasNotValue, hasValue } from '../../model/filter/field-clauses.js';
import { isGroupId } from '../../model/group-ids.js';
import { OUTSIDE } from '../../model/filter/field-reference.js';
import { shortName } from '../../model/fields.js';
import '../copy-button.js';
import { link, minus, plus } from '../icons.js';
import { View } from '../view.js';

/** Room for its buttons. */
const WIDTH = 110;

/**
 * Buttons over the value of a list that the pointer is on: filter by it, leave it out, show all that have it, copy it.
 * Keys have the same in the unfolded event. Values have `data-name`, the name of their field. Tells `clause` and
 * `together`.
 */
export class ValueTools extends View {
  static properties = {
    /** Gives the value of an element: `(element) => {name, value} | null`. */
    valueOf: { attribute: false },
    /** As of the list. */
    events: { attribute: false },
    version: { attribute: false },
    at: { state: true },
  };

  #list;

  /** The element that the pointer is on, or was when it went to the buttons. */
  #element = null;
  #onOver = (event) => event.pointerType === 'mouse' && this.#show(event.target);
  #onLeave = () => (this.at = null);

  constructor() {
    super();
    this.at = null;
  }

  connectedCallback() {
    super.connectedCallback();
    this.#list = this.parentElement;
    this.#list.addEventListener('pointerover', this.#onOver);
    this.#list.addEventListener('pointerleave', this.#onLeave);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#list.removeEventListener('pointerover', this.#onOver);
    this.#list.removeEventListener('pointerleave', this.#onLeave);
  }

  /** The value below may be of another event now; with the pointer on the buttons, they are of what they say. */
  willUpdate(changed) {
    if (this.at && (changed.has('events') || changed.has('version')) && !this.matches(':hover')) this.#show(this.#element);
  }

  render() {
    if (!this.at) return nothing;
    const { name, value, left, top, height } = this.at;
    const text = typeof value === 'string' ? value : String(value);
    const short = OUTSIDE.includes(name) ? name : shortName(name);
    return html`
      <span class="value-tools floating" role="group" aria-label=${`Value of ${short}`} .style=${`left:${left}px;top:${top}px;height:${height}px`}>
        <button type="button" class="value-button" aria-label=${`Only ${short} ${text}`} title="Only these" @click=${() => this.#filter(hasValue(name, value))}>${plus}</button>
        <button type="button" class="value-button" aria-label=${`Not ${short} ${text}`} title="Not these" @click=${() => this.#filter(hasNotValue(name, value))}>${minus}</button>
        ${isGroupId(short, value) ? html`<button type="button" class="value-button" aria-label=${`All with ${short} ${text}`} title="All events with this id" @click=${() => this.#together(hasValue(name, value))}>${link}</button>` : nothing}
        <copy-button small label="Copy the value" .text=${text}></copy-button>
      </span>
    `;
  }

  #filter(clause) {
    this.at = null;
    this.tell('clause', clause);
  }

  #together(clause) {
    this.at = null;
    this.tell('together', clause);
  }

  #show(target) {
    if (this.contains(target)) return;
    const element = target.closest('[data-name]');
    const found = element?.isConnected ? this.valueOf(element) : null;
    this.#element = element;
    this.at = found && canSay(found.name, found.value) ? { ...found, ...this.#placeOf(element) } : null;
  }

  /** At the end of the value, within the list. */
  #placeOf(element) {
    const [box, list] = [element.getBoundingClientRect(), this.#list.getBoundingClientRect()];
    const height = Math.max(24, Math.min(box.height, 28));
    return { left: Math.max(0, Math.min(box.right, list.right - WIDTH) - list.left), top: box.top - list.top - Math.max(0, (height - box.height) / 2), height };
  }
}

customElements.define('value-tools', ValueTools);
