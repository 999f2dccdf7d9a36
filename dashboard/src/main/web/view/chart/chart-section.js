import { html, nothing } from 'lit';

import { byName, COUNT, measureName } from '../../model/breakdown.js';
import { count } from '../../model/format.js';
import { barText } from '../../model/time/steps.js';
import { zoneName } from '../../model/time/zone.js';
import { Lazy } from '../../state/lazy.js';
import { errorCallout } from '../callout.js';
import './chart-head.js';
import { View } from '../view.js';

/**
 * The chart of the view below its head, which stays when the chart is folded. Passes on the events of both.
 */
export class ChartSection extends View {
  static properties = {
    client: { attribute: false },
    /** The selection, as parameters. */
    query: { attribute: false },
    /** `by`, `measure`, `number` and `scale` of the view. */
    chart: { attribute: false },
    /** From stackHits, stackGroups or linesOf; null while not known. */
    stack: { attribute: false },
    /** The `by`, `measure` and `number` that the stack is of: those of the view, or of the question before. */
    drawn: { attribute: false },
    /** What stands in place of a chart, or null. */
    instead: { attribute: false },
    /** What is to be said above the chart, or null. */
    notice: { attribute: false },
    /** What is drawn is not all of the answer, or of the question before: says so, else null. */
    caveat: { attribute: false },
    /** Where time goes on, after how many seconds the chart is refreshed; else null. */
    everySeconds: { attribute: false },
    folded: { type: Boolean },
    stale: { type: Boolean },
    /** Whether the numbers are shown as a table too. */
    numbers: { state: true },
  };

  /** With the library that draws; the counts are asked for without waiting for it. */
  #plots = new Lazy(this, () => import('./hits-chart.js'));

  constructor() {
    super();
    this.numbers = false;
  }

  render() {
    const { folded, chart, stack } = this;
    return html`
      <section class="card chart" aria-labelledby="hits-title">
        <chart-head .client=${this.client} .query=${this.query} .chart=${chart} .stepMillis=${stack?.stepMillis ?? 0} ?folded=${folded} .note=${this.#note()}
          ?numbers=${this.numbers} @numbers=${(e) => (this.numbers = e.detail)}></chart-head>
        ${this.notice}
        ${this.instead ?? (folded ? nothing : this.#chart())}
      </section>
    `;
  }

  #chart() {
    const { stack, drawn, chart } = this;
    const { module, error } = this.#plots;
    if (error) return errorCallout(error, () => this.#plots.retry());
    if (stack === null || module === null) return html`<div class="hits-bone bone"></div>`;
    return html`<hits-chart .stack=${stack} .what=${measureName(drawn)} .by=${byName(drawn.by)} ?log=${chart.scale === 'log'} ?stale=${this.stale} ?numbers=${this.numbers}></hits-chart>`;
  }

  #note() {
    const { caveat, folded, everySeconds, drawn } = this;
    if (caveat) return caveat;
    const parts = drawn?.measure === COUNT ? [this.#peak()] : [];
    if (!folded) parts.push(everySeconds === null ? 'drag to zoom in' : `refreshed every ${everySeconds} s`);
    return parts.filter(Boolean).join('; ');
  }

  #peak() {
    const { peak, times, stepMillis, spanMillis } = this.stack ?? {};
    return peak ? `at most ${count(peak.count)} at ${barText(times[peak.index], stepMillis, spanMillis)} ${zoneName()}` : '';
  }
}

customElements.define('chart-section', ChartSection);
