import { html } from 'lit';

import { dayText } from '../../model/time/range.js';
import { bytes, count, percent } from '../../model/format.js';

/** The heat map as a table, for screen readers and for reading. */
export const heatTable = ({ hours, lines }, measure) => html`
  <div class="scroller" role="region" aria-label="Width of rows by hour" tabindex="0">
    <table class="table">
      <thead>
        <tr>
          <th scope="col">Row</th>
          ${hours.map((hour) => html`<th scope="col" class="number">${dayText(hour.fromMillis)} ${hour.text.slice(11)}:00</th>`)}
        </tr>
      </thead>
      <tbody>
        ${lines.map(({ type, shard, cells }) => html`
          <tr>
            <th scope="row">${type} ${shard}</th>
            ${hours.map((_, i) => html`<td class="number">${cells[i] ? textOf(cells[i], measure) : ''}</td>`)}
          </tr>`)}
      </tbody>
    </table>
  </div>
`;

const textOf = ({ row, share }, measure) => `${measure === 'bytes' ? bytes(row.bytes) : count(row.columns)}${share === null ? '' : `, ${percent(share)}`}`;
