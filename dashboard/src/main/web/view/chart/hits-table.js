import { html, nothing } from 'lit';

import { count, figure } from '../../model/format.js';
import { barText, stepName } from '../../model/time/steps.js';
import { zoneName } from '../../model/time/zone.js';

/**
 * The numbers of the chart as a table, for screen readers and for reading.
 *
 * @param {string} what `Events`, `p99 of ms`
 */
export const hitsTable = ({ times, layers, totals, stepMillis, spanMillis }, what) => html`
  <div class="scroller hits-numbers" role="region" aria-label=${`${what} per ${stepName(stepMillis)}, in numbers`} tabindex="0">
    <table class="table">
      <thead>
        <tr>
          <th scope="col">From (${zoneName()})</th>
          ${layers.map(({ name }) => html`<th scope="col" class="number">${name}</th>`)}
          ${totals ? html`<th scope="col" class="number">Total</th>` : nothing}
        </tr>
      </thead>
      <tbody>
        ${times.map((time, i) => html`
          <tr>
            <th scope="row">${barText(time, stepMillis, spanMillis)}</th>
            ${layers.map(({ values }) => html`<td class="number">${totals ? count(values[i]) : figure(values[i])}</td>`)}
            ${totals ? html`<td class="number">${count(totals[i])}</td>` : nothing}
          </tr>`)}
      </tbody>
    </table>
  </div>
`;
