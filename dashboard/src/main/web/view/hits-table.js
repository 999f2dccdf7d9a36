import { html } from 'lit';

import { count } from '../model/format.js';
import { barText, stepName } from '../model/steps.js';

/** The numbers of the chart as a table, for screen readers and for reading. */
export const hitsTable = ({ times, layers, totals, stepMillis, spanMillis }, nameOf) => html`
  <div class="scroller hits-numbers" role="region" aria-label=${`Events per ${stepName(stepMillis)} by type`} tabindex="0">
    <table class="table">
      <thead>
        <tr>
          <th scope="col">From (UTC)</th>
          ${layers.map((layer) => html`<th scope="col" class="number">${nameOf(layer)}</th>`)}
          <th scope="col" class="number">Total</th>
        </tr>
      </thead>
      <tbody>
        ${times.map((time, i) => html`
          <tr>
            <th scope="row">${barText(time, stepMillis, spanMillis)}</th>
            ${layers.map((layer) => html`<td class="number">${count(layer.counts[i])}</td>`)}
            <td class="number">${count(totals[i])}</td>
          </tr>`)}
      </tbody>
    </table>
  </div>
`;
