import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';

import { count, counted, dayClock } from '../../model/format.js';
import { byReason } from '../../model/system/rejects.js';
import { UTC } from '../../model/time/zone.js';
import { View } from '../view.js';

/** Types named beside a reason; of more, the number. */
const NAMED_MAX = 3;

/** Rejected events: reasons, counts and the last samples. */
export class RejectsTable extends View {
  static properties = {
    /** The answer of /api/v1/rejects. */
    ledger: { attribute: false },
  };

  render() {
    const reasons = byReason(this.ledger);
    if (reasons.length === 0) return html`<p class="foot">Nothing was refused</p>`;
    return html`
      <div class="scroller" role="region" aria-label="Refused events by reason" tabindex="0">
        <table class="table rows rejects">
          <thead><tr><th scope="col">Reason</th><th scope="col" class="number">Events</th><th scope="col">Types</th><th scope="col">Last (UTC)</th><th scope="col">Samples</th></tr></thead>
          <tbody>${repeat(reasons, ({ reason }) => reason, reasonRow)}</tbody>
        </table>
      </div>
    `;
  }
}

const reasonRow = ({ reason, count: events, types, last, samples }) => html`
  <tr>
    <th scope="row">${reason}</th>
    <td class="number">${count(events)}</td>
    <td>${typesText(types)}</td>
    <td class="time">${dayClock(last, UTC).replace(/\.\d+$/, '')}</td>
    <td class="samples">${samples.length === 0 ? '–' : html`<details><summary>${counted(samples.length, 'sample')}</summary>${samples.map(sample)}</details>`}</td>
  </tr>
`;

const sample = ({ type, reason, event }) => html`
  <p>${reason}${type === null ? nothing : html` <span class="well">of ${type}</span>`}</p>
  <pre><code>${event}</code></pre>
`;

function typesText(types) {
  const named = types.filter(({ type }) => type !== null).map(({ type }) => type);
  if (named.length === 0) return html`<span class="well">not known</span>`;
  const more = named.length - NAMED_MAX;
  return `${named.slice(0, NAMED_MAX).join(', ')}${more > 0 ? ` and ${count(more)} more` : ''}`;
}

customElements.define('rejects-table', RejectsTable);
