import { html, nothing } from 'lit';

import { counted } from '../../model/format.js';
import { Hour } from '../../model/time/hour.js';
import { View } from '../view.js';

const STEPS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };

/** The 24 hours of the day, deeper where more events are; an hour is chosen by click or by arrow keys. Tells `span`. */
export class DayStrip extends View {
  static properties = {
    /** An Hour, or a Range within a day: then no hour is chosen. */
    span: { attribute: false },
    /** Events of each hour of the day, or null while not known. */
    counts: { attribute: false },
  };

  #follow = false;

  render() {
    const most = Math.max(1, ...(this.counts ?? []));
    const first = this.#first;
    return html`
      <div class="day" role="radiogroup" aria-label=${`Hours of ${first.longDay}, UTC`} @keydown=${this.#onKey}>
        ${Array.from({ length: 24 }, (_, ofDay) => this.#cell(first.atHour(ofDay), first, most))}
      </div>
    `;
  }

  updated() {
    if (!this.#follow) return;
    this.#follow = false;
    this.querySelector('[tabindex="0"]').focus();
  }

  get #first() {
    return new Hour(this.span.fromMillis);
  }

  #cell(hour, first, most) {
    const { span } = this;
    const chosen = hour.equals(span);
    const touched = hour.fromMillis < span.toMillis && hour.toMillis > span.fromMillis;
    const events = this.counts?.[hour.ofDay];
    const label = events === undefined ? hour.span : `${hour.span}, ${counted(events, 'event')}`;
    return html`
      <button type="button" role="radio" class="day-hour ${touched && !chosen ? 'day-hour-touched' : ''}" aria-checked=${chosen} aria-label=${label} title=${label}
        tabindex=${hour.equals(first) ? 0 : -1} data-depth=${events === undefined ? nothing : depthOf(events, most)}
        @click=${() => this.tell('span', hour)}>${hour.text.slice(11)}</button>
    `;
  }

  #onKey(event) {
    const step = STEPS[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.#follow = true;
    this.tell('span', this.#first.plus(step));
  }
}

/** 0 for none, else 1 to 4 by the square root of the share, so that quiet hours are still told from empty ones. */
const depthOf = (events, most) => (events === 0 ? 0 : Math.ceil(4 * Math.sqrt(events / most)));

customElements.define('day-strip', DayStrip);
