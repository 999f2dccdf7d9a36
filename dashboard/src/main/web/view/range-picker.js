import { html, nothing } from 'lit';

import { Hour } from '../model/hour.js';
import { fieldMillis, fieldText, localSpan, localZone, offsetText, placeOf } from '../model/local-time.js';
import { DAY_MILLIS, spanOf } from '../model/range.js';
import { closeDropDown, dropDown } from './drop-down.js';
import './day-strip.js';
import { calendar } from './icons.js';
import { View } from './view.js';

/** Spans that end now, with their lengths in the address. */
const LAST = { '5m': '5 minutes', '15m': '15 minutes', '60m': '60 minutes', '6h': '6 hours', '24h': '24 hours', '7d': '7 days' };

/**
 * Chooses any span of time: one that ends now, the whole day, or from and to by the clock of UTC or of the reader.
 * Tells `span`, or `last` with a length.
 */
export class RangePicker extends View {
  static properties = {
    span: { attribute: false },
    /** The length of a span that ends now, or null. */
    last: { attribute: false },
    /** Events of each hour of the day, or null while not known. */
    counts: { attribute: false },
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
    return dropDown({ name: 'range', label: this.#label(), content: html`${this.#presets()}${this.#hours()}${this.#form()}` });
  }

  #label() {
    const { span, last } = this;
    return html`${calendar}<span class="range-text">${last ? html`<b>Last ${LAST[last] ?? last}</b> ` : nothing}${span.shortDay} <span data-testid="hour-span">${span.span}</span> UTC</span>`;
  }

  #hours() {
    const { span } = this;
    return html`
      ${span.isWithinDay === false ? nothing : html`<div><p class="hint">${new Hour(span.fromMillis).longDay}, by the hour</p><day-strip .span=${span} .counts=${this.counts} @click=${(e) => closeDropDown(e.target)}></day-strip></div>`}
      <p class="local">${localSpan(span)}</p>
    `;
  }

  #presets() {
    const day = Math.floor(this.span.fromMillis / DAY_MILLIS) * DAY_MILLIS;
    return html`
      <div class="presets" role="group" aria-label="Spans that end now">
        ${Object.entries(LAST).map(([length, name]) => html`<button type="button" class="button button-small" @click=${(e) => this.#chooseLast(e, length)}>Last ${name}</button>`)}
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

  #chooseLast({ target }, length) {
    closeDropDown(target);
    this.tell('last', length);
  }

  #choose({ target }, span) {
    this.wrong = '';
    closeDropDown(target);
    this.tell('span', span);
  }
}

customElements.define('range-picker', RangePicker);
