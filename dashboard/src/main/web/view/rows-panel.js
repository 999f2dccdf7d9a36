import { html, nothing } from 'lit';

import { bytes, clock, count, counted, percent } from '../model/format.js';
import { sortRows, verdictOf } from '../model/rows.js';
import { View } from './view.js';

/** Most rows listed; sorting brings the others into view. */
const LISTED_MAX = 500;

const COLUMNS = [
  { property: 'type', title: 'Type' },
  { property: 'shard', title: 'Shard', number: true },
  { property: 'columns', title: 'Columns', number: true, descending: true },
  { property: 'fill', title: 'Of target', descending: true },
  { property: 'bytes', title: 'Size', number: true, descending: true },
  { property: 'first', title: 'First (UTC)' },
  { property: 'last', title: 'Last (UTC)' },
  { property: 'sealed', title: 'State' },
];

/** The rows of the hour: how wide each is against its target, widest first. */
export class RowsPanel extends View {
  static properties = {
    /** From describeRow. */
    rows: { attribute: false },
    colours: { attribute: false },
    stale: { type: Boolean },
    by: { state: true },
    descending: { state: true },
  };

  constructor() {
    super();
    this.by = 'columns';
    this.descending = true;
  }

  render() {
    const { rows } = this;
    const shown = sortRows(rows, this.by, this.descending).slice(0, LISTED_MAX);
    const hasTarget = rows.some((row) => row.fill !== null);
    const columns = COLUMNS.filter(({ property }) => property !== 'fill' || hasTarget);
    return html`
      <div class="panel-bar"><p class="panel-count">${this.#told()}</p></div>
      <div class="scroller ${this.stale ? 'stale' : ''}" role="region" aria-label="Rows of the hour" tabindex="0">
        <table class="table rows">
          <thead><tr>${columns.map((column) => this.#head(column))}</tr></thead>
          <tbody>${shown.map((row) => this.#row(row, hasTarget))}</tbody>
        </table>
      </div>
      ${rows.length > LISTED_MAX ? html`<p class="foot">The first ${count(LISTED_MAX)} of ${count(rows.length)} rows in this order</p>` : nothing}
    `;
  }

  #told() {
    const { rows } = this;
    const target = rows.find((row) => row.target)?.target;
    const aim = target ? `; each is to stay within ${count(target.columns)} columns and ${bytes(target.bytes)}` : '';
    return `${counted(rows.length, 'row')}${aim}`;
  }

  #head({ property, title, number, descending = false }) {
    const sorted = this.by === property;
    return html`
      <th scope="col" class=${number ? 'number' : ''} aria-sort=${sorted ? (this.descending ? 'descending' : 'ascending') : nothing}>
        <button type="button" class="sort" @click=${() => this.#sortBy(property, descending)}>${title}</button>
      </th>
    `;
  }

  #sortBy(property, descending) {
    this.descending = this.by === property ? !this.descending : descending;
    this.by = property;
  }

  #row(row, hasTarget) {
    return html`
      <tr title=${row.row}>
        <th scope="row"><span class="row-type"><span class="swatch" .style=${`background:${this.colours.cssOf(row.type)}`}></span>${row.type}</span></th>
        <td class="number">${row.shard}</td>
        <td class="number">${count(row.columns)}</td>
        ${hasTarget ? html`<td>${fill(row.fill)}</td>` : nothing}
        <td class="number">${bytes(row.bytes)}</td>
        <td class="time">${clock(row.first)}</td>
        <td class="time">${clock(row.last)}</td>
        <td>${row.sealed ? 'sealed' : 'open'}</td>
      </tr>
    `;
  }
}

function fill(share) {
  if (share === null) return '–';
  const verdict = verdictOf(share);
  return html`
    <span class="fill" data-verdict=${verdict}>
      <span class="fill-bar"><span .style=${`width:${Math.min(100, share * 100)}%`}></span></span>
      <span class="fill-text">${percent(share)}${verdict === 'ok' ? '' : html` <b>${verdict}</b>`}</span>
    </span>
  `;
}

customElements.define('rows-panel', RowsPanel);
