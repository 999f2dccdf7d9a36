import { html, nothing } from 'lit';

import { count, counted, perSecond, ratio } from '../../model/format.js';
import { proposalsOf } from '../../model/system/rows.js';
import { markOf } from '../../model/type-colours.js';
import { callout } from '../callout.js';
import { View } from '../view.js';

/** Types listed before the reader asks for all; those with a proposal come first. */
const LISTED_FIRST = 8;
const LISTED_MAX = 500;

/** Proposals shown at length; the table has the others. */
const PROPOSALS_MAX = 3;
const NAMED_MAX = 3;

/** The types of each hour: how many rows each has and why, how even they are, and what to set otherwise. */
export class RowTypes extends View {
  static properties = {
    /** From describeTypes. */
    types: { attribute: false },
    all: { state: true },
  };

  render() {
    const { types } = this;
    if (types.length === 0) return nothing;
    const proposals = proposalsOf(types);
    const shown = types.slice(0, this.all ? LISTED_MAX : LISTED_FIRST);
    const known = {
      growth: types.some((t) => t.growth !== null),
      nodes: types.some((t) => t.node_skew),
      writers: types.some((t) => t.writers !== null),
      hours: types.some((t) => t.hour !== types[0].hour),
      plans: types.some((t) => t.plan !== null),
    };
    return html`
      ${proposals.slice(0, PROPOSALS_MAX).map(proposed)}
      <div class="scroller" role="region" aria-label="Rows by type" tabindex="0">
        <table class="table row-types">
          <thead>
            <tr>
              <th scope="col">Type</th>${known.hours ? html`<th scope="col">Hour (UTC)</th>` : nothing}<th scope="col" class="number">Rows</th><th scope="col" class="number">Columns</th>
              ${known.growth ? html`<th scope="col" class="number">Grows by</th>` : nothing}
              <th scope="col" class="number"><abbr title="Columns of the widest row over those of the mean row: 1 is even">Widest/mean</abbr></th>
              <th scope="col" class="number"><abbr title="Gini coefficient of the columns over the rows: 0 is even">Gini</abbr></th>
              ${known.nodes ? html`<th scope="col" class="number"><abbr title="Columns of the busiest node over those of the mean node, and their Gini coefficient">Over nodes</abbr></th>` : nothing}
              ${known.writers ? html`<th scope="col" class="number">Writers</th>` : nothing}
              ${known.plans ? html`<th scope="col">Planner</th>` : nothing}
              <th scope="col">Layout</th>
            </tr>
          </thead>
          <tbody>${shown.map((type) => this.#type(type, known))}</tbody>
        </table>
      </div>
      ${types.length > shown.length ? this.#more(shown.length) : nothing}
    `;
  }

  #type(t, known) {
    const uneven = t.rows > 1;
    return html`
      <tr>
        <th scope="row"><span class="row-type cut"><span class="swatch" .style=${markOf(t.type)}></span>${t.type}</span></th>
        ${known.hours ? html`<td class="time">${t.hour.slice(5).replace('T', ' ')}:00</td>` : nothing}
        <td class="number">${count(t.rows)}</td>
        <td class="number">${count(t.columns)}</td>
        ${known.growth ? html`<td class="number">${t.growth === null ? '–' : perSecond(t.growth)}</td>` : nothing}
        <td class="number">${uneven ? ratio(t.row_skew.max_over_mean) : '–'}</td>
        <td class="number">${uneven ? ratio(t.row_skew.gini) : '–'}</td>
        ${known.nodes ? html`<td class="number">${t.node_skew ? `${ratio(t.node_skew.max_over_mean)}, Gini ${ratio(t.node_skew.gini)}` : '–'}</td>` : nothing}
        ${known.writers ? html`<td class="number" title=${t.writers_unknown ?? nothing}>${t.writers === null ? '–' : count(t.writers)}</td>` : nothing}
        ${known.plans ? html`<td class="planned">${t.plan ? html`${t.plan.did}: <span class="well">${t.plan.why}</span>` : '–'}</td>` : nothing}
        <td>${t.proposal ? html`<span class="proposed">${t.proposal.setting} = ${t.proposal.value}</span>` : html`<span class="well">fits</span>`}</td>
      </tr>
    `;
  }

  #more(shown) {
    const left = this.types.length - shown;
    return this.all
      ? html`<p class="foot">and ${counted(left, 'more type')}</p>`
      : html`<p class="more"><button type="button" class="button button-small" @click=${() => (this.all = true)}>Show ${counted(left, 'more type')}</button></p>`;
  }
}

function proposed({ setting, value, reason, types }) {
  const named = types.slice(0, NAMED_MAX).map((type) => `“${type}”`);
  const others = types.length - named.length;
  return callout({
    kind: 'warning',
    title: html`Consider <code>${setting} = ${value}</code>`,
    text: html`<p>${named.join(', ')}${others > 0 ? ` and ${count(others)} more` : ''}: ${reason}.</p>`,
  });
}

customElements.define('row-types', RowTypes);
