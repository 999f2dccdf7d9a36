import { html } from 'lit';

import { dateFormat } from '../../model/formats.js';
import { addMonths, dayAfterKey, dayOf, monthOf, weeksOf } from '../../model/time/month.js';
import { DAY_MILLIS } from '../../model/time/range.js';
import { left, right } from '../icons.js';
import { View } from '../view.js';

const monthName = dateFormat({ month: 'long', year: 'numeric' });
const dayName = dateFormat({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
const WEEKDAYS = [['Mo', 'Monday'], ['Tu', 'Tuesday'], ['We', 'Wednesday'], ['Th', 'Thursday'], ['Fr', 'Friday'], ['Sa', 'Saturday'], ['Su', 'Sunday']];

/**
 * A month to choose days from. One click chooses a day, a later one after it the days up to there. Tells `days` with
 * their midnights, both included.
 */
export class MonthGrid extends View {
  static properties = {
    /** The days chosen, as times within the first and the last of them. */
    from: { type: Number },
    to: { type: Number },
    /** Midnight of the day that has the focus, or would. */
    at: { state: true },
  };

  #follow = false;
  /** The first of two days, once it is chosen. */
  #first = null;

  willUpdate(changed) {
    if (this.at === undefined || (changed.has('from') && this.#first === null)) this.at = dayOf(this.from);
  }

  render() {
    const month = monthOf(this.at);
    return html`
      <div class="month">
        <div class="month-head">
          <button type="button" class="button button-bare" aria-label="Previous month" @click=${() => (this.at = addMonths(this.at, -1))}>${left}</button>
          <span id="month-name" aria-live="polite">${monthName(month)}</span>
          <button type="button" class="button button-bare" aria-label="Next month" @click=${() => (this.at = addMonths(this.at, 1))}>${right}</button>
        </div>
        <table role="grid" aria-labelledby="month-name" @keydown=${this.#onKey}>
          <thead><tr>${WEEKDAYS.map(([short, long]) => html`<th scope="col"><abbr title=${long}>${short}</abbr></th>`)}</tr></thead>
          <tbody>${weeksOf(month).map((week) => html`<tr>${week.map((day) => this.#day(day, month))}</tr>`)}</tbody>
        </table>
      </div>
    `;
  }

  /** The next day chosen is a first one again. */
  restart() {
    this.#first = null;
    this.at = dayOf(this.from);
  }

  updated() {
    if (!this.#follow) return;
    this.#follow = false;
    this.querySelector('[tabindex="0"]').focus();
  }

  #day(day, month) {
    const chosen = day >= dayOf(this.from) && day <= dayOf(this.to);
    return html`<td role="gridcell" aria-selected=${chosen}><button type="button" class="month-day ${monthOf(day) === month ? '' : 'month-other'}" tabindex=${day === this.at ? 0 : -1}
      aria-label=${dayName(day)} @click=${() => this.#choose(day)}>${new Date(day).getUTCDate()}</button></td>`;
  }

  #choose(day) {
    const first = this.#first !== null && day > this.#first ? this.#first : day;
    this.#first = first === day ? day : null;
    this.at = day;
    this.tell('days', [first, day + DAY_MILLIS]);
  }

  #onKey(event) {
    const day = dayAfterKey(event.key, this.at);
    if (day === null) return;
    event.preventDefault();
    this.#follow = true;
    this.at = day;
  }
}

customElements.define('month-grid', MonthGrid);
