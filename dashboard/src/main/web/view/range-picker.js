import { html } from 'lit';

import { HOUR_MILLIS } from '../model/hour.js';
import { fieldMillis, fieldText, localZone, offsetText, placeOf } from '../model/local-time.js';
import { DAY_MILLIS, spanOf } from '../model/range.js';
import { closeDropDown, dropDown } from './drop-down.js';
import { calendar } from './icons.js';
import { View } from './view.js';

const MINUTE = 60_000;

/** Spans that end now. */
const LAST = [
  ['5 minutes', 5 * MINUTE],
  ['15 minutes', 15 * MINUTE],
  ['60 minutes', HOUR_MILLIS],
  ['6 hours', 6 * HOUR_MILLIS],
  ['24 hours', DAY_MILLIS],
  ['7 days', 7 * DAY_MILLIS],
];

/** Chooses any span of time: one that ends now, the whole day, or from and to by the clock of UTC or of the reader. Tells `span`. */
export class RangePicker extends View {
  static properties = {
    span: { attribute: false },
    /** Whose clock the two fields show. */
    zone: { state: true },
    /** The fields: from and to in milliseconds, null for no valid time. */
    draft: { state: true },
    wrong: { state: true },
  };

  constructor() {
    super();
    this.zone = 'UTC';
    this.wrong = '';
  }

  willUpdate(changed) {
    if (!changed.has('span')) return;
    this.draft = [this.span.fromMillis, this.span.toMillis];
    this.wrong = '';
  }

  render() {
    return dropDown({ name: 'range', label: html`${calendar}<span>Range</span>`, content: html`${this.#presets()}${this.#form()}` });
  }

  #presets() {
    const day = Math.floor(this.span.fromMillis / DAY_MILLIS) * DAY_MILLIS;
    return html`
      <div class="presets" role="group" aria-label="Spans that end now">
        ${LAST.map(([name, millis]) => html`<button type="button" class="button button-small" @click=${(e) => this.#choose(e, endingNow(millis))}>Last ${name}</button>`)}
      </div>
      <div class="presets" role="group" aria-label="Whole days">
        <button type="button" class="button button-small" @click=${(e) => this.#choose(e, spanOf(day, day + DAY_MILLIS))}>Whole day, UTC</button>
        <button type="button" class="button button-small" @click=${(e) => this.#choose(e, spanOf(day - DAY_MILLIS, day))}>The day before</button>
      </div>
    `;
  }

  #form() {
    return html`
      <form class="range-form" novalidate @submit=${this.#onSubmit}>
        ${this.#zones()}
        ${this.#field('From', 'from', 0)}${this.#field('To, not included', 'to', 1)}
        <p id="range-wrong" class="wrong" role="alert">${this.wrong}</p>
        <button type="submit" class="button button-strong">Show</button>
      </form>
    `;
  }

  #field(label, name, i) {
    const millis = this.draft[i];
    return html`<label>${label}<input type="datetime-local" name=${name} step="1" aria-describedby="range-wrong"
      .value=${millis === null ? '' : fieldText(millis, this.zone)} @change=${(e) => this.#onChange(e, i)} /></label>`;
  }

  #zones() {
    const local = localZone();
    const offset = offsetText(this.span.fromMillis, local);
    if (offset === 'UTC') return html`<p class="hint">In UTC</p>`;
    const zones = [['UTC', 'UTC'], [local, `${placeOf(local)} (${offset})`]];
    return html`
      <div class="segmented" role="group" aria-label="Clock of these fields">
        ${zones.map(([zone, name]) => html`<button type="button" aria-pressed=${this.zone === zone} @click=${() => (this.zone = zone)}>${name}</button>`)}
      </div>
    `;
  }

  #onChange({ target }, i) {
    this.draft = this.draft.with(i, fieldMillis(target.value, this.zone));
  }

  #onSubmit(event) {
    event.preventDefault();
    const [from, to] = this.draft;
    if (from === null || to === null) this.wrong = 'Both times are needed.';
    else if (from >= to) this.wrong = '“To” has to be later than “from”.';
    else this.#choose(event, spanOf(from, to));
  }

  #choose({ target }, span) {
    this.wrong = '';
    closeDropDown(target);
    this.tell('span', span);
  }
}

/** Up to the end of this second, so that the newest events are in it. */
function endingNow(millis) {
  const to = Math.ceil((Date.now() + 1) / 1000) * 1000;
  return spanOf(to - millis, to);
}

customElements.define('range-picker', RangePicker);
