import { html, nothing } from 'lit';

import { counted, count, perSecond } from '../model/format.js';
import { verdictOf } from '../model/rows.js';
import { barText, stepName } from '../model/steps.js';
import { View } from './view.js';

/** The figures of the view at a glance. */
export class HourSummary extends View {
  static properties = {
    /** From stackHits, or null while not known. */
    stack: { attribute: false },
    rows: { attribute: false },
    /** The rows are not asked for. */
    noRows: { type: Boolean },
    /** Time is now in the span shown. */
    underWay: { type: Boolean },
    /** Events a second that a live tail brings, or null where none runs. */
    liveRate: { attribute: false },
    stale: { type: Boolean },
    /** What is not known could not be read. */
    failed: { type: Boolean },
  };

  render() {
    const { stack, rows } = this;
    const figure = (name, value, note, testId) => figureOf(name, value ?? (this.failed ? '–' : bone), note, testId);
    const wide = rows?.filter((row) => verdictOf(row) === 'too wide').length ?? 0;
    return html`
      <dl class="figures ${this.stale ? 'stale' : ''}">
        ${figure('Events', stack && count(stack.total), '', 'total')}
        ${figure('On average', stack && perSecond((stack.total * 1000) / elapsedMillis(stack)), '')}
        ${this.liveRate !== null ? figure('Now', perSecond(this.liveRate), 'last 10 s') : this.underWay && stack ? figure('Now', perSecond(rateNow(stack)), `last whole ${stepName(stack.stepMillis)}`) : nothing}
        ${figure(`Busiest ${stack ? stepName(stack.stepMillis) : 'minute'}`, stack && (stack.peak ? count(stack.peak.count) : '–'),
          stack?.peak ? `at ${barText(stack.times[stack.peak.index], stack.stepMillis, stack.spanMillis)} UTC` : '')}
        ${this.noRows ? nothing : figure('Rows', rows && count(rows.length), wide > 0 ? `${counted(wide, 'row')} too wide` : '')}
      </dl>
    `;
  }
}

/** Events a second in the last bar that is over; none before the first is. */
function rateNow({ times, totals, stepMillis }) {
  const last = Math.floor((Date.now() - times[0]) / stepMillis) - 1;
  return last < 0 ? 0 : (totals[Math.min(last, totals.length - 1)] * 1000) / stepMillis;
}

/** How much of the span is over; all of one that lies ahead. */
const elapsedMillis = ({ times, spanMillis }) => {
  const elapsed = Date.now() - times[0];
  return elapsed > 0 ? Math.min(elapsed, spanMillis) : spanMillis;
};

const bone = html`<span class="bone bone-figure"></span>`;

const figureOf = (name, value, note, testId) => html`
  <div class="figure">
    <dt>${name}</dt>
    <dd data-testid=${testId ?? name}>${value}<span class="figure-note">${note}</span></dd>
  </div>
`;

customElements.define('hour-summary', HourSummary);
