import { html } from 'lit';

import { left, newest, reload, right } from './icons.js';
import './live-switch.js';
import './range-picker.js';
import { View } from './view.js';

/** Chooses the span: one back, one on, another day, any range, the latest hour. Tells `span` with the Hour or Range, `latest`, `reload`. */
export class HourStepper extends View {
  static properties = {
    /** An Hour or a Range. */
    span: { attribute: false },
    /** The length of a span that ends now, or null. */
    last: { attribute: false },
    busy: { type: Boolean },
    live: { type: Boolean },
  };

  render() {
    const { span } = this;
    return html`
      <div class="stepper" role="group" aria-label="Time shown">
        <div class="stepper-hour">
          <button type="button" class="button button-icon" aria-label=${`Previous ${span.noun}`} title=${`Previous ${span.noun}`}
            @click=${() => this.tell('span', span.plus(-1))}>${left}</button>
          <span class="stepper-span" data-testid="hour-span">${span.span}</span>
          <button type="button" class="button button-icon" aria-label=${`Next ${span.noun}`} title=${`Next ${span.noun}`}
            @click=${() => this.tell('span', span.plus(1))}>${right}</button>
        </div>
        <label class="stepper-day"><span class="visually-hidden">Day, UTC</span
          ><input type="date" required .value=${span.day} min="2000-01-01" max="2099-12-31" @change=${this.#onDay} /></label>
        <span class="zone" title="All times on this page are in Coordinated Universal Time, where they do not say otherwise">UTC</span>
        <div class="stepper-jumps">
          <live-switch ?on=${this.live}></live-switch>
          <range-picker .span=${span} .last=${this.last}></range-picker>
          <button type="button" class="button" title="The newest hour that has events"
            @click=${() => this.tell('latest')}>${newest}<span>Latest</span></button>
          <button type="button" class="button button-icon" aria-label="Reload" title="Ask the server again"
            @click=${() => this.tell('reload')}><span class=${this.busy ? 'turning' : ''}>${reload}</span></button>
        </div>
      </div>
    `;
  }

  #onDay(event) {
    const span = this.span.onDay(event.target.value);
    if (span) this.tell('span', span);
    else event.target.value = this.span.day;
  }
}

customElements.define('hour-stepper', HourStepper);
