import { html, nothing } from 'lit';

import { bytes, clock, count, counted, percent, perSecond } from '../../model/format.js';
import { sortRows, STATES, verdictOf, writersText } from '../../model/system/rows.js';
import { markOf } from '../../model/type-colours.js';
import { UTC } from '../../model/time/zone.js';
import { bones, partError } from '../callout.js';
import './rows-heat.js';
import { View } from '../view.js';

/** Most rows listed; sorting brings the others into view. */
const LISTED_MAX = 500;

const COLUMNS = [
  { property: 'type', title: 'Type' },
  { property: 'hour', title: 'Hour (UTC)' },
  { property: 'shard', title: 'Shard', number: true },
  { property: 'columns', title: 'Columns', number: true, descending: true },
  { property: 'fill', title: 'Of target', descending: true },
  { property: 'state', title: 'State' },
  { property: 'rate', title: 'Grows by', number: true, descending: true },
  { property: 'writers', title: 'Writer', fixed: true },
  { property: 'bytes', title: 'Size', number: true, descending: true },
  { property: 'first', title: 'First (UTC)' },
  { property: 'last', title: 'Last (UTC)' },
];

/** Columns that say nothing where none of the rows has them. */
const OPTIONAL = new Set(['fill', 'rate', 'writers']);

/**
 * The rows of the view: how wide each is against its target, first by hour at a glance, then widest first. Tells `row`.
 */
export class RowsPanel extends View {
  static properties = {
    /** From describeRow. */
    rows: { attribute: false },
    /**
     * The rows of the heat map or null, what it shows, and an error with what to do about it: `{rows, shown, stale,
     * error, retry}`.
     */
    heat: { attribute: false },
    span: { attribute: false },
    /** From writersMissing. */
    missing: { attribute: false },
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
    const columns = COLUMNS.filter(({ property }) => this.#says(property));
    return html`
      ${this.#heat()}
      <div class="panel-bar"><p class="panel-count">${this.#told()}</p>${this.missing ? html`<p class="panel-count missing">${this.missing}</p>` : nothing}</div>
      <div class="scroller ${this.stale ? 'stale' : ''}" role="region" aria-label="Rows of the hour" tabindex="0">
        <table class="table rows">
          <thead><tr>${columns.map((column) => this.#head(column))}</tr></thead>
          <tbody>${shown.map((row) => html`<tr title=${row.row}>${columns.map(({ property }) => this.#cell(row, property))}</tr>`)}</tbody>
        </table>
      </div>
      ${rows.length > LISTED_MAX ? html`<p class="foot">The first ${count(LISTED_MAX)} of ${count(rows.length)} rows in this order</p>` : nothing}
      ${legend}
    `;
  }

  #heat() {
    const { rows, shown, stale, error, retry } = this.heat;
    if (error) return partError(error, retry);
    if (rows === null) return bones(4);
    return html`<rows-heat .rows=${rows} .shown=${shown} .span=${this.span} ?stale=${stale}></rows-heat>`;
  }

  #says(property) {
    if (property === 'hour') return this.rows.some((row) => row.hour?.text !== this.rows[0].hour?.text);
    return !OPTIONAL.has(property) || this.rows.some((row) => row[property] !== null);
  }

  #told() {
    const { rows } = this;
    const target = rows.find((row) => row.target)?.target;
    const aim = target ? `; each is to stay within ${count(target.columns)} columns and ${bytes(target.bytes)}` : '';
    return `${counted(rows.length, 'row')}${aim}`;
  }

  #head({ property, title, number, fixed, descending = false }) {
    const sorted = this.by === property;
    if (fixed) return html`<th scope="col">${title}</th>`;
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

  #cell(row, property) {
    switch (property) {
      case 'type':
        return html`<th scope="row"><span class="row-type cut"><span class="swatch" .style=${markOf(row.type)}></span>${row.type}</span></th>`;
      case 'hour':
        return html`<td class="time">${row.hour.shortDay.replace(/ \d+$/, '')}, ${row.hour.text.slice(11)}:00</td>`;
      case 'fill':
        return html`<td>${fill(row)}</td>`;
      case 'state':
        return html`<td><span class="row-state" data-state=${row.state} title=${STATES[row.state] ?? nothing}>${row.state}</span></td>`;
      case 'rate':
        return html`<td class="number" title=${row.growth ? `mean of the last ${Math.round(row.growth.over_s)} s` : nothing}>${row.rate === null ? '–' : perSecond(row.rate)}</td>`;
      case 'writers':
        return writers(row);
      case 'bytes':
        return html`<td class="number">${bytes(row.bytes)}</td>`;
      case 'first':
      case 'last':
        return html`<td class="time">${clock(row[property], UTC)}</td>`;
      default:
        return html`<td class="number">${count(row[property])}</td>`;
    }
  }
}

function writers(row) {
  const { short, long } = writersText(row.writers);
  // Names at length open by key and touch too, which no tooltip does.
  return row.writers?.length
    ? html`<td class="writer"><details><summary>${short}</summary><p>${long}</p></details></td>`
    : html`<td class="writer" title=${long}>${short}</td>`;
}

function fill(row) {
  if (row.fill === null) return '–';
  const verdict = verdictOf(row);
  return html`
    <span class="fill" data-verdict=${verdict}>
      <span class="fill-bar"><span .style=${`width:${Math.min(100, row.fill * 100)}%`}></span></span>
      <span class="fill-text">${percent(row.fill)}${['too wide', 'nearly full'].includes(verdict) ? html` <b>${verdict}</b>` : nothing}</span>
    </span>
  `;
}

const legend = html`
  <details class="row-legend">
    <summary>Legend</summary>
    <dl>
      ${Object.entries(STATES).map(([state, meaning]) => html`<div><dt class="row-state" data-state=${state}>${state}</dt><dd>${meaning}</dd></div>`)}
      <div><dt>Of target</dt><dd>the larger share of the columns and bytes that a row is to have; up to 110% is as planned</dd></div>
      <div><dt>Grows by</dt><dd>recent columns a second, during the hour; “–” if only bounds are known</dd></div>
      <div><dt>The planner</dt><dd>adds rows to an hour as writers fill them; its work is derived from the existing rows</dd></div>
      <div><dt>Widest/mean, Gini</dt><dd>how evenly the columns of a type lie over its rows: 1 and 0 are even</dd></div>
    </dl>
  </details>
`;

customElements.define('rows-panel', RowsPanel);
