import { html, nothing } from 'lit';

import { dateFormat } from '../../model/formats.js';
import { fieldMillis, fieldText, localZone, offsetText, placeOf } from '../../model/time/local-time.js';
import { DAY_MILLIS } from '../../model/time/range.js';
import { spanOfFields } from '../../model/time/span-fields.js';
import { UTC, wall, wallSpan, zoneName } from '../../model/time/zone.js';
import { closeDropDown, dropDown } from '../drop-down.js';
import './day-strip.js';
import { calendar } from '../icons.js';
import './month-grid.js';
import { View } from '../view.js';

/** Spans that end now, with their lengths in the address. */
const LAST = { '5m': '5 minutes', '15m': '15 minutes', '60m': '60 minutes', '6h': '6 hours', '24h': '24 hours', '7d': '7 days' };

/**
 * Chooses any span of time: one that ends now, days, an hour, or from and to, by the clock of UTC or of the reader.
 * Tells `span`, `last` with a length, `zone` with utc or local, and `want-day` when it opens.
 */
export class RangePicker extends View {
  static properties = {
    span: { attribute: false },
    /** The length of a span that ends now, or null. */
    last: { attribute: false },
    /** Events of each hour of the day, or null while not known. */
    counts: { attribute: false },
    /** The zone of the page. */
    zone: {},
    /** The fields: from and to in milliseconds, null for no time. */
    draft: { state: true },
    wrong: { state: true },
    /** Whether its sheet was opened: until then there is nothing in it. */
    opened: { state: true },
  };

  constructor() {
    super();
    this.wrong = '';
    this.opened = false;
  }

  /** A view that moves on by itself leaves what is being typed alone. */
  willUpdate(changed) {
    if (changed.has('span') && !this.querySelector('.drop-down')?.open) this.#reset();
  }

  render() {
    return dropDown({
      name: 'range',
      label: this.#label(),
      onOpen: () => this.#open(),
      onClose: () => this.#reset(),
      content: this.opened ? this.#sheet() : nothing,
    });
  }

  #open() {
    this.opened = true;
    this.tell('want-day');
  }

  #sheet() {
    return html`<div class="range-sheet"><div class="range-parts">${this.#zones()}${this.#form()}${this.#presets()}</div><div class="range-parts range-days">${this.#month()}${this.#hours()}</div></div>`;
  }

  #reset() {
    this.draft = [this.span.fromMillis, this.span.toMillis];
    this.wrong = '';
    this.querySelector('month-grid')?.restart();
  }

  #label() {
    const { last } = this;
    const { shortDay, span } = wallSpan(this.span, this.zone);
    return html`${calendar}<span class="range-text cut">${last ? html`<b>Last ${LAST[last] ?? last}</b> ` : nothing}${shortDay} <span data-testid="hour-span">${span}</span> ${zoneName(this.zone)}</span>`;
  }

  #presets() {
    const last = Object.entries(LAST).map(([length, name]) => html`<button type="button" class="button button-small" aria-pressed=${length === this.last}
      @click=${(e) => this.#chooseLast(e, length)}>Last ${name}</button>`);
    return html`<div class="presets" role="group" aria-label="Spans that end now">${last}</div>`;
  }

  #month() {
    const [from, to] = this.draft.map((millis, i) => wall(millis ?? [this.span.fromMillis, this.span.toMillis][i], this.zone));
    return html`<month-grid .from=${from} .to=${Math.max(from, to - 1)} @days=${(e) => (this.draft = e.detail.map((midnight) => fieldMillis(fieldText(midnight, UTC), this.zone)))}></month-grid>`;
  }

  /** Hours are those of UTC, as the store has them. */
  #hours() {
    const { span } = this;
    if (span.isWithinDay === false) return nothing;
    return html`<div><p class="hint">Hours of ${dayName(span)}, UTC</p><day-strip .span=${span} .counts=${this.counts} @click=${(e) => closeDropDown(e.target)}></day-strip></div>`;
  }

  #form() {
    return html`
      <form class="range-form" novalidate @submit=${this.#onSubmit}>
        ${this.#field('From', 'from', 0)}${this.#field('To, not included', 'to', 1)}
        <p id="range-wrong" class="wrong" role="alert">${this.wrong}</p>
        <button type="submit" class="button button-strong">Show</button>
      </form>
    `;
  }

  #field(label, name, i) {
    const millis = this.draft[i];
    return html`<label>${label}<input type="text" name=${name} inputmode="numeric" spellcheck="false" autocomplete="off" aria-describedby="range-wrong"
      .value=${millis === null ? '' : fieldText(millis, this.zone).replace('T', ' ')} /></label>`;
  }

  #zones() {
    const local = localZone();
    const offset = offsetText(this.span.fromMillis, local);
    if (offset === 'UTC' && this.zone === UTC) return html`<p class="hint">All times are UTC</p>`;
    const choices = [['utc', UTC, UTC], ['local', local, `${placeOf(local)} (${offset})`]];
    return html`
      <div class="segmented" role="group" aria-label="Time zone of the page">
        ${choices.map(([choice, zone, name]) => html`<button type="button" aria-pressed=${this.zone === zone} @click=${() => this.tell('zone', choice)}>${name}</button>`)}
      </div>
    `;
  }

  #onSubmit(event) {
    event.preventDefault();
    const { from, to } = event.target.elements;
    const { span, wrong } = spanOfFields(from.value, to.value, this.zone);
    if (span) this.#choose(event, span);
    else this.wrong = wrong;
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

const longDay = dateFormat({ weekday: 'long', day: 'numeric', month: 'long' });
const dayName = ({ fromMillis }) => longDay(Math.floor(fromMillis / DAY_MILLIS) * DAY_MILLIS);

customElements.define('range-picker', RangePicker);
