import { html, nothing } from 'lit';

import { count, perSecond } from '../../model/format.js';
import { stepName } from '../../model/time/steps.js';
import { View } from '../view.js';

/** The figures of the view at a glance. */
export class SpanFigures extends View {
  static properties = {
    /** From stackHits, or null while not known. */
    stack: { attribute: false },
    /** Time is now in the span shown. */
    underWay: { type: Boolean },
    /** Events a second that a live tail brings, or null where none runs. */
    liveRate: { attribute: false },
    stale: { type: Boolean },
    /** Not all of the span is counted yet. */
    partial: { type: Boolean },
    /** What is not known could not be read. */
    failed: { type: Boolean },
  };

  render() {
    const { stack } = this;
    const figure = (name, value, says, testId) => figureOf(name, value ?? (this.failed ? '–' : bone), says, testId);
    return html`
      <dl class="figures ${this.stale ? 'stale' : ''}">
        ${this.partial
          ? figure('Events', stack && `${count(stack.total)}+`, 'Events counted so far', 'total')
          : figure('Events', stack && count(stack.total), 'Events of the view', 'total')}
        ${figure('Mean', stack && !this.partial ? perSecond((stack.total * 1000) / elapsedMillis(stack)) : null, 'Events a second, over the part of the span that is over')}
        ${this.liveRate !== null
          ? figure('Now', perSecond(this.liveRate), 'Events a second, in the last 10 s')
          : this.underWay && stack ? figure('Now', perSecond(rateNow(stack)), `Events a second, in the last whole ${stepName(stack.stepMillis)}`) : nothing}
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

const figureOf = (name, value, says, testId = name) => html`
  <div class="figure" title=${says}><dt>${name}</dt><dd data-testid=${testId}>${value}</dd></div>
`;

customElements.define('span-figures', SpanFigures);
