import { html, nothing } from 'lit';

import { BY_NOTHING, BY_TYPE, byName, COUNT, measureName, MEASURES } from '../../model/breakdown.js';
import { shortName } from '../../model/fields.js';
import { stepName } from '../../model/time/steps.js';
import '../fields/field-choice.js';
import { table, zoomOut } from '../icons.js';
import { View } from '../view.js';

const BY_FIRST = [[BY_TYPE, 'type'], [BY_NOTHING, 'nothing']];

/**
 * The line above the chart: what it shows and how. Tells `chart` with the parts of the view that change, `prefer` to
 * fold the chart, `numbers` to show them as a table, and `zoom-out` to show more time.
 */
export class ChartHead extends View {
  static properties = {
    client: { attribute: false },
    /** The selection, as parameters. */
    query: { attribute: false },
    /** `by`, `measure`, `number` and `scale` of the view. */
    chart: { attribute: false },
    stepMillis: { type: Number },
    folded: { type: Boolean },
    /** Whether the numbers are shown as a table too. */
    numbers: { type: Boolean },
    /** What is to be said of the chart. */
    note: {},
  };

  render() {
    const { chart, folded } = this;
    const step = `per ${this.stepMillis > 0 ? stepName(this.stepMillis) : 'minute'}`;
    return html`
      <div class="chart-head">
        <h2 id="hits-title"><button type="button" class="fold" aria-expanded=${!folded} title=${folded ? 'Show the chart' : 'Fold the chart'}
          @click=${() => this.tell('prefer', { chart: folded ? 'open' : 'folded' })}><span class=${folded ? '' : 'visually-hidden'}>${measureName(chart)} ${step}</span></button></h2>
        ${folded ? nothing : html`${this.#choices(chart)}<span class="chart-step">${step}</span>`}
        <span class="chart-note cut">${this.note}</span>
        ${folded ? nothing : this.#switches(chart)}
        <button type="button" class="button button-small button-plain" aria-label="Zoom out" title="Twice as much time" @click=${() => this.tell('zoom-out')}>${zoomOut}<span class="wide-only">Zoom out</span></button>
      </div>
    `;
  }

  #choices({ by, measure, number }) {
    const { client, query } = this;
    return html`
      <select class="chart-measure" aria-label="Measure" .value=${measure} @change=${(e) => this.tell('chart', { measure: e.target.value })}>
        ${MEASURES.map((name) => html`<option value=${name} ?selected=${name === measure}>${name === COUNT ? 'Events' : name}</option>`)}
      </select>
      ${measure === COUNT ? nothing : html`<field-choice label="of" numbers .client=${client} .query=${query} .chosen=${number} .text=${number === '' ? 'a number' : shortName(number)}
        @field-chosen=${(e) => this.tell('chart', { number: e.detail })}></field-choice>`}
      <field-choice label="by" .client=${client} .query=${query} .chosen=${by} .text=${byName(by)} .first=${BY_FIRST}
        @field-chosen=${(e) => this.tell('chart', { by: e.detail })}></field-choice>
    `;
  }

  #switches({ scale }) {
    const log = scale === 'log';
    return html`
      <button type="button" class="button button-small button-plain" aria-pressed=${log} title="An axis whose steps multiply by ten"
        @click=${() => this.tell('chart', { scale: log ? 'linear' : 'log' })}>Log</button>
      <button type="button" class="button button-bare" aria-label="Show the numbers" title="Show the numbers" aria-pressed=${this.numbers}
        @click=${() => this.tell('numbers', !this.numbers)}>${table}</button>
    `;
  }
}

customElements.define('chart-head', ChartHead);
