import { html, nothing } from 'lit';

import { count } from '../model/format.js';
import { wider } from '../model/range.js';
import { barText, stepName } from '../model/steps.js';
import './hits-chart.js';
import { table, wider as zoomOut } from './icons.js';
import { View } from './view.js';

/** Events over time, below a line that says what is drawn; it folds into that line. Tells `span` and `prefer`. */
export class ChartSection extends View {
  static properties = {
    /** From stackHits, or null while not known. */
    stack: { attribute: false },
    /** The Hour or Range shown. */
    span: { attribute: false },
    /** What stands in place of a chart, or null. */
    instead: { attribute: false },
    /** What is to be said above the chart, or null. */
    notice: { attribute: false },
    /** Where time goes on, after how many seconds the chart is refreshed; else null. */
    everySeconds: { attribute: false },
    folded: { type: Boolean },
    stale: { type: Boolean },
    /** Whether the numbers are shown as a table too. */
    numbers: { state: true },
  };

  constructor() {
    super();
    this.numbers = false;
  }

  render() {
    const { stack, folded } = this;
    return html`
      <section class="card chart" aria-labelledby="hits-title">
        <div class="card-head">
          <h2 id="hits-title"><button type="button" class="fold" aria-expanded=${!folded} @click=${() => this.tell('prefer', { chart: folded ? 'open' : 'folded' })}
            >Events per ${stack ? stepName(stack.stepMillis) : 'minute'}</button> <span class="aside">by type${this.#peak()}${this.#hint()}</span></h2>
          <span class="tools">
            ${folded ? nothing : html`<button type="button" class="button button-bare" aria-label="Show the numbers" title="Show the numbers" aria-pressed=${this.numbers}
              @click=${() => (this.numbers = !this.numbers)}>${table}</button>`}
            <button type="button" class="button button-small button-plain" @click=${() => this.tell('span', wider(this.span))}>${zoomOut}<span>Zoom out</span></button>
          </span>
        </div>
        ${this.notice}
        ${this.instead ?? (folded ? nothing : this.#chart())}
      </section>
    `;
  }

  #chart() {
    return this.stack === null
      ? html`<div class="hits-bone bone"></div>`
      : html`<hits-chart .stack=${this.stack} ?stale=${this.stale} ?numbers=${this.numbers}></hits-chart>`;
  }

  #peak() {
    const { peak, times, stepMillis, spanMillis } = this.stack ?? {};
    return peak ? `, at most ${count(peak.count)} at ${barText(times[peak.index], stepMillis, spanMillis)} UTC` : '';
  }

  #hint() {
    if (this.folded) return '';
    return this.everySeconds === null ? '; drag to zoom in' : `; refreshed every ${this.everySeconds} s`;
  }
}

customElements.define('chart-section', ChartSection);
