import { html } from 'lit';

import { left, newest, reload, right } from './icons.js';
import { View } from './view.js';

/** Chooses the hour: one back, one on, another day, the latest. Tells `hour` with the Hour, `latest`, `reload`. */
export class HourStepper extends View {
  static properties = {
    hour: { attribute: false },
    busy: { type: Boolean },
  };

  render() {
    const { hour } = this;
    return html`
      <div class="stepper" role="group" aria-label="Hour">
        <div class="stepper-hour">
          <button type="button" class="button button-icon" aria-label="Previous hour" title="Previous hour"
            @click=${() => this.tell('hour', hour.plus(-1))}>${left}</button>
          <span class="stepper-span" data-testid="hour-span">${hour.span}</span>
          <button type="button" class="button button-icon" aria-label="Next hour" title="Next hour"
            @click=${() => this.tell('hour', hour.plus(1))}>${right}</button>
        </div>
        <label class="stepper-day"><span class="visually-hidden">Day, UTC</span
          ><input type="date" required .value=${hour.day} min="2000-01-01" max="2099-12-31" @change=${this.#onDay} /></label>
        <span class="zone" title="All times on this page are in Coordinated Universal Time">UTC</span>
        <div class="stepper-jumps">
          <button type="button" class="button" title="The newest hour that has events"
            @click=${() => this.tell('latest')}>${newest}<span>Latest</span></button>
          <button type="button" class="button button-icon" aria-label="Reload" title="Ask the server again"
            @click=${() => this.tell('reload')}><span class=${this.busy ? 'turning' : ''}>${reload}</span></button>
        </div>
      </div>
    `;
  }

  #onDay(event) {
    const hour = this.hour.onDay(event.target.value);
    if (hour) this.tell('hour', hour);
    else event.target.value = this.hour.day;
  }
}

customElements.define('hour-stepper', HourStepper);
