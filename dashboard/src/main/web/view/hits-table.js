import { html } from 'lit';

import { count, minute } from '../model/format.js';

/** The numbers of the chart as a table, for those who would rather read or hear them. */
export const hitsTable = ({ times, layers, totals }, nameOf) => html`
  <details class="hits-numbers">
    <summary>Show the numbers</summary>
    <div class="scroller" role="region" aria-label="Events a minute by type" tabindex="0">
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Minute (UTC)</th>
            ${layers.map((layer) => html`<th scope="col" class="number">${nameOf(layer)}</th>`)}
            <th scope="col" class="number">Total</th>
          </tr>
        </thead>
        <tbody>
          ${times.map((time, i) => html`
            <tr>
              <th scope="row">${minute(time)}</th>
              ${layers.map((layer) => html`<td class="number">${count(layer.counts[i])}</td>`)}
              <td class="number">${count(totals[i])}</td>
            </tr>`)}
        </tbody>
      </table>
    </div>
  </details>
`;
