import { Task, TaskStatus } from '@lit/task';
import { html, nothing } from 'lit';

import { downloadsOf, tableColumns } from '../../model/downloads.js';
import { count, counted } from '../../model/format.js';
import './columns-menu.js';
import { closeDropDown, dropDown } from '../drop-down.js';
import { download } from '../icons.js';
import { View } from '../view.js';

/**
 * What is said of the list of events and done with it: how many are there, their order, their density, downloads. Tells
 * `order`, `prefer` and `reload`.
 */
export class EventsBar extends View {
  static properties = {
    /** An EventPager; it changes in place, and then its `version` does. */
    pager: { attribute: false },
    version: { attribute: false },
    density: {},
    wrap: { type: Boolean },
    /** Names of fields that could have a column. */
    known: { attribute: false },
    total: { type: Number },
    /** New events since the list was loaded. */
    received: { type: Number },
    client: { attribute: false },
    /** The view with its span. */
    view: { attribute: false },
    /** The span, types and filter, as parameters. */
    query: { attribute: false },
    /** Whether the sheet of downloads was opened: only then the fields of the view are asked for. */
    downloading: { state: true },
  };

  #fields = new Task(this, {
    args: () => [this.downloading && this.view.columns.length === 0 && JSON.stringify(this.query)],
    task: ([wanted], { signal }) => (wanted ? this.client.fields(this.query, signal).then(tableColumns) : null),
  });

  constructor() {
    super();
    this.downloading = false;
  }

  render() {
    return html`
      ${this.#newcomers() ?? html`<p class="panel-count cut">${this.#progress()}</p>`}
      <span class="tools">
        ${this.#choice('Order of events', this.view.order, [['asc', 'Oldest first'], ['desc', 'Newest first']], (order) => this.tell('order', order))}
        ${this.#choice('Density', this.density, [['compact', 'Compact'], ['comfortable', 'Comfortable']], (density) => this.tell('prefer', { density }))}
        <columns-menu .columns=${this.view.columns} .known=${this.known} ?wrap=${this.wrap}></columns-menu>
        ${this.#downloads()}
      </span>
    `;
  }

  #choice(label, chosen, choices, choose) {
    return html`
      <span class="segmented" role="group" aria-label=${label}>
        ${choices.map(([choice, text]) => html`<button type="button" aria-pressed=${chosen === choice} @click=${() => choose(choice)}>${text}</button>`)}
      </span>
    `;
  }

  #progress() {
    const loaded = this.pager.events.length;
    if (loaded === 0) return nothing;
    if (this.pager.status === 'loading') return `${count(loaded)} found so far…`;
    if (!this.pager.hasMore) return `All ${counted(loaded, 'event')}`;
    return this.total > loaded ? `${count(loaded)} of ${counted(this.total, 'event')}` : `${counted(loaded, 'event')} loaded`;
  }

  /**
   * Null where there are none. They stand in place of the number of loaded events, for which there is no room beside
   * them. Oldest first, what comes is reached by scrolling, as long as the end is not yet.
   */
  #newcomers() {
    const within = this.view.order === 'asc' && this.pager.hasMore;
    if (!(this.received > 0) || within || this.pager.status !== 'ready') return null;
    return html`<button type="button" class="button button-small newcomers" aria-label=${`Show ${counted(this.received, 'new event')}`} title=${this.#progress()} @click=${() => this.tell('reload')}>${counted(this.received, 'new event')}</button>`;
  }

  #downloads() {
    return dropDown({
      name: 'download',
      entries: ['a.choice'],
      kind: 'button-small',
      label: html`${download}<span class="wide-only">Download</span>`,
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
    return this.view.columns.length > 0 ? this.view.columns : (this.#fields.value ?? []);
  }

  #csvSays(says) {
    if (this.view.columns.length > 0) return says;
    if (this.#fields.status === TaskStatus.PENDING) return 'a table; looking for its columns…';
    if (this.#fields.status === TaskStatus.ERROR) return 'the payload in one column, as its fields could not be read';
    const names = this.#fields.value ?? [];
    const others = names.at(-1) === 'data' ? ', and the whole payload' : '';
    return names.length === 0 ? 'the payload in one column' : `a column for each of ${counted(names.length - (others ? 1 : 0), 'field')}${others}`;
  }
}

customElements.define('events-bar', EventsBar);
