import { Task, TaskStatus } from '@lit/task';
import { html, nothing } from 'lit';

import { downloadsOf, tableColumns } from '../model/downloads.js';
import { count, counted } from '../model/format.js';
import { callout, errorCallout } from './callout.js';
import { closeDropDown, dropDown } from './drop-down.js';
import './event-table.js';
import { download } from './icons.js';
import { View } from './view.js';

/** The events of the view in all their states. Tells `order` and `reload`. */
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
    total: { type: Number },
    /** New events since the list was loaded. */
    received: { type: Number },
    /** Names of fields that have a column each. */
    columns: { attribute: false },
    dated: { type: Boolean },
    withYear: { type: Boolean },
    addressOf: { attribute: false },
    client: { attribute: false },
    /** The view with its span. */
    view: { attribute: false },
    /** The span, types and filter, as parameters. */
    query: { attribute: false },
    /** Whether the sheet of downloads was opened: only then the fields of the view are asked for. */
    downloading: { state: true },
    /** The noun of the span: hour or range. */
    noun: {},
    /** The end of the span, not included. */
    toMillis: { type: Number },
  };

  #fields = new Task(this, {
    args: () => [this.downloading && this.columns.length === 0 && JSON.stringify(this.query)],
    task: ([wanted], { signal }) => (wanted ? this.client.fields(this.query, signal).then(tableColumns) : null),
  });

  constructor() {
    super();
    this.downloading = false;
  }

  render() {
    const { pager } = this;
    return html`
      <div class="panel-bar">
        <p class="panel-count">${this.#progress()}</p>
        ${this.#newcomers()}
        <div class="segmented" role="group" aria-label="Order of events">
          ${[['asc', 'Oldest first'], ['desc', 'Newest first']].map(([order, text]) => html`
            <button type="button" aria-pressed=${this.order === order} @click=${() => this.tell('order', order)}>${text}</button>`)}
        </div>
        ${this.#downloads()}
      </div>
      ${pager.missing ? this.#partial(pager.missing) : nothing}
      ${pager.events.length > 0 ? this.#table() : nothing}
      ${this.#foot()}
    `;
  }

  #progress() {
    const loaded = this.pager.events.length;
    if (loaded === 0) return nothing;
    if (this.pager.status === 'loading') return `${count(loaded)} found so far…`;
    if (!this.pager.hasMore) return `All ${counted(loaded, 'event')}`;
    return this.total > loaded ? `${count(loaded)} of ${counted(this.total, 'event')} loaded` : `${counted(loaded, 'event')} loaded`;
  }

  /** Oldest first, what comes is reached by scrolling, as long as the end is not yet. */
  #newcomers() {
    const within = this.order === 'asc' && this.pager.hasMore;
    if (!(this.received > 0) || within || this.pager.status !== 'ready') return nothing;
    return html`<button type="button" class="button button-small newcomers" @click=${() => this.tell('reload')}>
      Show ${counted(this.received, 'new event')}</button>`;
  }

  #downloads() {
    return dropDown({
      name: 'download',
      kind: 'button-small',
      label: html`${download}<span>Download</span>`,
      onOpen: () => (this.downloading = true),
      onClose: () => (this.downloading = false),
      content: html`
        <p class="hint">${this.total > 0 ? `All ${counted(this.total, 'event')} of the view` : 'All events of the view'}</p>
        ${downloadsOf(this.view, this.#csvColumns()).map((file) => this.#file(file))}
      `,
    });
  }

  #file({ format, title, says, href, file }) {
    const text = html`<b>${title}</b><span>${format === 'csv' ? this.#csvSays(says) : says}</span>`;
    // Not before its columns are known: a table of one column is not what was asked for.
    if (format === 'csv' && this.#fields.status === TaskStatus.PENDING) return html`<span class="choice" aria-busy="true">${text}</span>`;
    return html`<a class="choice" href=${href} download=${file} @click=${(e) => closeDropDown(e.currentTarget)}>${text}</a>`;
  }

  #csvColumns() {
    return this.columns.length > 0 ? this.columns : (this.#fields.value ?? []);
  }

  #csvSays(says) {
    if (this.columns.length > 0) return says;
    if (this.#fields.status === TaskStatus.PENDING) return 'a table; looking for its columns…';
    if (this.#fields.status === TaskStatus.ERROR) return 'the payload in one column, as its fields could not be read';
    const names = this.#fields.value ?? [];
    const others = names.at(-1) === 'data' ? ', and the whole payload' : '';
    return names.length === 0 ? 'the payload in one column' : `a column for each of ${counted(names.length - (others ? 1 : 0), 'field')}${others}`;
  }

  #table() {
    const { pager } = this;
    return html`<event-table class=${this.stale ? 'stale' : ''} .events=${pager.events} .length=${pager.events.length} .total=${this.total}
      .columns=${this.columns} ?dated=${this.dated} ?withYear=${this.withYear} .addressOf=${this.addressOf} ?hasMore=${pager.status === 'ready' && pager.hasMore && !this.stale} @more=${() => pager.more()}></event-table>`;
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
      case 'error':
        return this.named ? this.#cut() : errorCallout(pager.error, () => pager.retry());
      default:
        return pager.events.length === 0 ? html`<p class="foot">No events to list</p>` : this.#end();
    }
  }

  #end() {
    if (this.pager.full) {
      return callout({
        title: `The page holds ${count(this.pager.events.length)} events at most`,
        text: 'Narrow the time or the filter, or turn the order round, to see the others. A download has no such limit.',
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
      title: 'These events are not all',
      text,
      actions: html`<button type="button" class="button" @click=${() => this.tell('reload')}>Ask again</button>`,
    });
  }
}

customElements.define('events-panel', EventsPanel);
