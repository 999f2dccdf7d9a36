import { html } from 'lit';

import { REFRESHES } from '../../model/time/refresh.js';
import { left, newest, reload, right } from '../icons.js';
import './live-switch.js';
import './range-picker.js';
import { View } from '../view.js';

/**
 * Chooses the span: any range, one back, one on, what comes, the newest events. Tells `span` with the Hour or Range,
 * `latest`, `reload`, `refresh`.
 */
export class TimeBar extends View {
  static properties = {
    /** An Hour or a Range. */
    span: { attribute: false },
    /** The length of a span that ends now, or null. */
    last: { attribute: false },
    /** Events of each hour of the day, or null while not known. */
    counts: { attribute: false },
    /** The zone of the page. */
    zone: {},
    /** How often the view refreshes itself, or empty. */
    refresh: {},
    busy: { type: Boolean },
    live: { type: Boolean },
  };

  render() {
    const { span } = this;
    return html`
      <div class="time-bar" role="group" aria-label="Time shown">
        <range-picker .span=${span} .last=${this.last} .counts=${this.counts} .zone=${this.zone}></range-picker>
        <span class="joined time-steps">
          <button type="button" class="button button-icon" aria-label=${`Previous ${span.noun}`} title=${`Previous ${span.noun}`}
            @click=${() => this.tell('span', span.plus(-1))}>${left}</button>
          <button type="button" class="button button-icon" aria-label=${`Next ${span.noun}`} title=${`Next ${span.noun}`}
            @click=${() => this.tell('span', span.plus(1))}>${right}</button>
          <button type="button" class="button button-icon" aria-label="Latest" title="Where the newest events are"
            @click=${() => this.tell('latest')}>${newest}</button>
        </span>
        <live-switch ?on=${this.live}></live-switch>
        <span class="joined">
          <button type="button" class="button button-icon" aria-label="Reload" title="Ask the server again"
            @click=${() => this.tell('reload')}><span class="reload ${this.busy ? 'turning' : ''}">${reload}</span></button>
          <select class="button refresh" aria-label="Refresh by itself" title="Refresh by itself" ?disabled=${this.live} @change=${(e) => this.tell('refresh', e.target.value)}>
            ${Object.entries({ '': 'Off', ...REFRESHES }).map(([value, { name = 'Off' }]) => html`<option value=${value} ?selected=${value === this.refresh}>${name}</option>`)}
          </select>
        </span>
      </div>
    `;
  }
}

customElements.define('time-bar', TimeBar);
