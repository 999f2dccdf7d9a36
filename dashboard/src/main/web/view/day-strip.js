import { html, nothing } from 'lit';

import { counted } from '../model/format.js';
import { View } from './view.js';

const STEPS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };

/** The 24 hours of the day, deeper where more events are; an hour is chosen by click or by arrow keys. */
export class DayStrip extends View {
  static properties = {
    hour: { attribute: false },
    /** Events of each hour of the day, or null while not known. */
    counts: { attribute: false },
  };

  #follow = false;

  render() {
    const most = Math.max(1, ...(this.counts ?? []));
    return html`
      <div class="day" role="radiogroup" aria-label=${`Hours of ${this.hour.longDay}, UTC`} @keydown=${this.#onKey}>
        ${Array.from({ length: 24 }, (_, ofDay) => this.#cell(ofDay, most))}
      </div>
    `;
  }

  updated() {
    if (!this.#follow) return;
    this.#follow = false;
    this.querySelector('[aria-checked="true"]').focus();
  }

  #cell(ofDay, most) {
    const hour = this.hour.atHour(ofDay);
    const chosen = ofDay === this.hour.ofDay;
    const events = this.counts?.[ofDay];
    const label = events === undefined ? hour.span : `${hour.span}, ${counted(events, 'event')}`;
    return html`
      <button type="button" role="radio" class="day-hour" aria-checked=${chosen} aria-label=${label} title=${label}
        tabindex=${chosen ? 0 : -1} data-depth=${events === undefined ? nothing : depthOf(events, most)}
        @click=${() => this.tell('hour', hour)}>${hour.text.slice(11)}</button>
    `;
  }

  #onKey(event) {
    const step = STEPS[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.#follow = true;
    this.tell('hour', this.hour.plus(step));
  }
}

/** 0 for none, else 1 to 4 by the square root of the share, so that quiet hours are still told from empty ones. */
const depthOf = (events, most) => (events === 0 ? 0 : Math.ceil(4 * Math.sqrt(events / most)));

customElements.define('day-strip', DayStrip);
