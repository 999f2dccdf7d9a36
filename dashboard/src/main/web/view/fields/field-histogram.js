import { Task } from '@lit/task';
import { html, nothing } from 'lit';

import { countEach } from '../../api/count-each.js';
import { inRange } from '../../model/filter/field-clauses.js';
import { count, figure, percent } from '../../model/format.js';
import { binsOf, countValues, placeOf, whereOf } from '../../model/histogram.js';
import { bones, partError } from '../callout.js';
import { View } from '../view.js';

/** As many values as the server lists; of more, each bin is counted by itself. */
const VALUES_MAX = 1_000;

const MARKED = ['p50', 'p90', 'p99'];

/** The numbers of a field as bars, with quantiles marked. A bar filters by its range: tells `clause`. */
export class FieldHistogram extends View {
  static properties = {
    client: { attribute: false },
    /** The span, types and filter, as parameters. */
    query: { attribute: false },
    field: {},
    /** The most frequent values, as /top answers. */
    top: { attribute: false },
    /** Of all numbers: `{count, min, max, p50, ...}`. */
    figures: { attribute: false },
  };

  #counted = new Task(this, {
    args: () => [this.field, JSON.stringify(this.query), this.figures],
    task: (_, { signal }) => this.#count(signal),
  });

  render() {
    return this.#counted.render({
      pending: () => bones(4),
      error: (error) => partError(error, () => this.#counted.run()),
      complete: (counted) => this.#bars(counted),
    });
  }

  async #count(signal) {
    const axis = binsOf({ min: Number(this.figures.min), max: Number(this.figures.max) });
    const { query, field, top } = this;
    if (top.exact && top.distinct <= VALUES_MAX) {
      const { values } = top.values.length === top.distinct ? top : await this.client.top({ ...query, field, n: VALUES_MAX }, signal);
      return { axis, counts: countValues(axis.bins, values) };
    }
    return { axis, counts: await countEach(this.client, query, axis.bins.map((bin) => whereOf(field, bin)), signal) };
  }

  #bars({ axis, counts }) {
    const most = Math.max(1, ...counts);
    const all = counts.reduce((sum, n) => sum + n, 0);
    return html`
      <div class="histogram" role="group" aria-label=${`Numbers of ${this.field} by range`}>
        <div class="histogram-bars">
          ${axis.bins.map((bin, i) => this.#bar(bin, counts[i], most, all))}
          ${MARKED.map((name) => this.#mark(name, axis))}
        </div>
        <div class="histogram-axis" aria-hidden="true">${axis.bins.map((bin, i) => html`<span>${(i % 2 === 0 || axis.bins.length <= 10) && i < Math.max(1, axis.bins.length - 1) ? figure(bin.from) : nothing}</span>`)}<span class="histogram-end">${figure(axis.bins.at(-1).to)}</span></div>
      </div>
    `;
  }

  #bar(bin, events, most, all) {
    const range = bin.from === bin.to ? figure(bin.from) : `${figure(bin.from)} to ${figure(bin.to)}`;
    const text = `${range}: ${count(events)}, ${percent(all === 0 ? 0 : events / all)}`;
    return html`<button type="button" class="histogram-bar" aria-label=${text} title=${text} ?disabled=${events === 0} @click=${() => this.tell('clause', inRange(this.field, bin))}
      ><span .style=${`height:${(events / most) * 100}%`}></span></button>`;
  }

  #mark(name, axis) {
    const value = this.figures[name];
    if (value == null) return nothing;
    return html`<span class="histogram-mark" .style=${`left:${placeOf(Number(value), axis) * 100}%`}><span>${name} ${figure(value)}</span></span>`;
  }
}

customElements.define('field-histogram', FieldHistogram);
