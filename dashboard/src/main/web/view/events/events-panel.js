import { html, nothing } from 'lit';

import { shortName } from '../../model/fields.js';
import { count, counted } from '../../model/format.js';
import { nextSort, sortEvents } from '../../model/sorted-events.js';
import { shownTypes } from '../../model/type-colours.js';
import { callout, partError } from '../callout.js';
import './event-table.js';
import { View } from '../view.js';

/** The events of the view in all their states. Tells `reload`. */
export class EventsPanel extends View {
  static properties = {
    /** An EventPager; it changes in place, and then its `version` does. */
    pager: { attribute: false },
    version: { attribute: false },
    /** The events are those of another question, as the present one failed. */
    stale: { type: Boolean },
    /** The page names a failure already. */
    named: { type: Boolean },
    order: {},
    density: {},
    total: { type: Number },
    /** Names of fields that have a column each. */
    columns: { attribute: false },
    dated: { type: Boolean },
    withYear: { type: Boolean },
    /** What was searched, from marksOf, or null. */
    marks: { attribute: false },
    addressOf: { attribute: false },
    /** The noun of the span: hour or range. */
    noun: {},
    /** The end of the span, not included. */
    toMillis: { type: Number },
    wrap: { type: Boolean },
    /** From nextSort, or null: by time. */
    sort: { state: true },
  };

  /** The loaded events as they are sorted, and what they were made of. */
  #sorted = { pager: null, sort: null, length: 0, events: [] };

  constructor() {
    super();
    this.sort = null;
  }

  willUpdate(changed) {
    if (changed.has('order')) this.sort = null;
  }

  render() {
    const { pager } = this;
    return html`
      ${pager.missing ? this.#partial(pager.missing) : nothing}
      ${this.sort && pager.events.length > 0 ? this.#sortedNote() : nothing}
      ${pager.events.length > 0 ? this.#table() : nothing}
      ${this.#foot()}
    `;
  }

  #table() {
    const { pager, sort } = this;
    // What is sorted would be shuffled by a page that comes by itself.
    const hasMore = pager.status === 'ready' && pager.hasMore && !this.stale && sort === null;
    return html`<event-table class=${this.stale ? 'stale' : ''} .events=${this.#arranged()} .length=${pager.events.length} .total=${this.total}
      .columns=${this.columns} .density=${this.density} ?dated=${this.dated} ?withYear=${this.withYear} .addressOf=${this.addressOf} .marks=${this.marks} .colours=${shownTypes()} ?hasMore=${hasMore} @more=${() => pager.more()}
      ?wrap=${this.wrap} sortable .sort=${sort} @sort=${(e) => (this.sort = nextSort(sort, e.detail))}></event-table>`;
  }

  #arranged() {
    const { pager, sort } = this;
    const { length } = pager.events;
    if (sort === null) return pager.events;
    const before = this.#sorted;
    if (before.pager !== pager || before.sort !== sort || before.length !== length) this.#sorted = { pager, sort, length, events: sortEvents(pager.events, sort) };
    return this.#sorted.events;
  }

  #sortedNote() {
    const { pager, sort } = this;
    return html`<p class="foot">Sorted by ${shortName(sort.name)}: only the ${counted(pager.events.length, 'loaded event')}
      ${pager.hasMore ? html`<button type="button" class="button button-small" @click=${() => pager.more()}>Load more</button>` : nothing}
      <button type="button" class="button button-small" @click=${() => (this.sort = null)}>Sort by time</button></p>`;
  }

  #foot() {
    const { pager } = this;
    if (this.stale) return nothing;
    switch (pager.status) {
      case 'loading':
        if (pager.events.length > 0) return html`<p class="foot" role="status">Searching for more…</p>`;
        return html`<div class="bones" role="status"><span class="visually-hidden">Loading events</span>${Array.from({ length: 8 }, () => html`<span class="bone"></span>`)}</div>`;
      case 'more':
        return html`<p class="foot" role="status">Loading more events…</p>`;
      case 'stopped':
        return html`<p class="foot">Stopped${pager.events.length > 0 ? '; there may be more events' : ' before any event came'}</p>`;
      case 'error':
        return this.named ? this.#cut() : partError(pager.error, () => pager.retry());
      default:
        return pager.events.length === 0 ? html`<p class="foot">No events to list</p>` : this.#end();
    }
  }

  #end() {
    if (this.pager.full) {
      return callout({
        title: `The page holds ${count(this.pager.events.length)} events at most`,
        text: 'Narrow the time or the filter, or reverse the order, to see the others. A download has no such limit.',
      });
    }
    return this.pager.hasMore ? nothing : html`<p class="foot">${this.#endText()}</p>`;
  }

  /** Of a time that is not over, later events may come. */
  #endText() {
    if (this.order === 'desc') return `Beginning of the ${this.noun}`;
    return this.pager.endedAtMillis < this.toMillis ? 'No later event when this was loaded' : `End of the ${this.noun}`;
  }

  #cut() {
    return html`<p class="foot">${this.pager.events.length > 0 ? 'Further events could not be loaded' : 'The events could not be loaded'}
      <button type="button" class="button button-small" @click=${() => this.pager.retry()}>Try again</button></p>`;
  }

  #partial({ asked, answered }) {
    const text = asked > answered ? `${count(asked - answered)} of ${counted(asked, 'row')} did not answer; their events are missing here.` : 'Some rows did not answer; their events are missing here.';
    return callout({
      kind: 'warning',
      title: 'Some events are missing',
      text,
      actions: html`<button type="button" class="button" @click=${() => this.tell('reload')}>Ask again</button>`,
    });
  }
}

customElements.define('events-panel', EventsPanel);
