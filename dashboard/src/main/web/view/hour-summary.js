import { html } from 'lit';

import { counted, count, minute, perSecond } from '../model/format.js';
import { HOUR_MILLIS } from '../model/hour.js';
import { verdictOf } from '../model/rows.js';
import { View } from './view.js';

/** The figures of the hour at a glance. */
export class HourSummary extends View {
  static properties = {
    /** From stackHits, or null while not known. */
    stack: { attribute: false },
    rows: { attribute: false },
    stale: { type: Boolean },
  };

  render() {
    const { stack, rows } = this;
    const wide = rows?.filter((row) => verdictOf(row) === 'too wide').length ?? 0;
    return html`
      <dl class="figures ${this.stale ? 'stale' : ''}">
        ${figure('Events', stack && count(stack.total), '', 'total')}
        ${figure('On average', stack && perSecond((stack.total * 1000) / elapsedMillis(stack)), '')}
        ${figure('Busiest minute', stack && (stack.peak ? count(stack.peak.count) : '–'),
          stack?.peak ? `at ${minute(stack.times[stack.peak.index])} UTC` : '')}
        ${figure('Rows', rows && count(rows.length), wide > 0 ? `${counted(wide, 'row')} too wide` : '')}
      </dl>
    `;
  }
}

/** How much of the hour is over; all of one that lies ahead. */
const elapsedMillis = (stack) => {
  const elapsed = Date.now() - stack.times[0];
  return elapsed > 0 ? Math.min(elapsed, HOUR_MILLIS) : HOUR_MILLIS;
};

const figure = (name, value, note, testId) => html`
  <div class="figure">
    <dt>${name}</dt>
    <dd data-testid=${testId ?? name}>${value ?? html`<span class="bone bone-figure"></span>`}<span class="figure-note">${note}</span></dd>
  </div>
`;

customElements.define('hour-summary', HourSummary);
