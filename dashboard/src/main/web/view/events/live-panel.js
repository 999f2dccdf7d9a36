import { html, nothing } from 'lit';

import { address } from '../../api/client.js';
import { count, counted, perSecond } from '../../model/format.js';
import { spanOf } from '../../model/time/range.js';
import { isPause } from '../../model/shortcuts.js';
import { shownTypes } from '../../model/type-colours.js';
import { KEPT_MAX } from '../../state/live-feed.js';
import { callout, errorCallout } from '../callout.js';
import { namesOfDropped } from './empty-view.js';
import './event-table.js';
import { View } from '../view.js';

/** Pixels of the first row that may be out of sight before the reader counts as elsewhere. */
const OUT_OF_SIGHT_PIXELS = 12;

/**
 * Events as they come, newest first. It stands still while it is paused, the reader has scrolled away or has an event
 * unfolded, and counts what waits. Tells `live` with false to end it, `span` to look at what was missed.
 */
export class LivePanel extends View {
  static properties = {
    /** A LiveFeed; it changes in place, and then its `version` does. */
    feed: { attribute: false },
    version: { attribute: false },
    columns: { attribute: false },
    density: {},
    wrap: { type: Boolean },
    /** What was searched, from marksOf, or null. */
    marks: { attribute: false },
    addressOf: { attribute: false },
    /** Whether the reader has stopped it, until they go on. */
    paused: { state: true },
  };

  #reading = false;
  /** Once the table knows of the scrolling too: else it would put back what it measures anew meanwhile. */
  #onScroll = () => requestAnimationFrame(() => this.#hold());

  #onKey = (event) => {
    if (!isPause(event)) return;
    event.preventDefault();
    this.#pause(!this.paused);
  };

  constructor() {
    super();
    this.paused = false;
  }

  connectedCallback() {
    super.connectedCallback();
    document.addEventListener('keydown', this.#onKey);
    addEventListener('scroll', this.#onScroll, { passive: true });
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener('scroll', this.#onScroll);
    document.removeEventListener('keydown', this.#onKey);
    this.feed?.hold(false);
  }

  willUpdate(changed) {
    if (changed.has('feed')) this.#reading = this.paused = false;
  }

  render() {
    const { feed } = this;
    if (feed.status === 'refused') return errorCallout(feed.error, () => this.tell('live', false));
    return html`
      <div class="panel-bar">
        <p class="panel-count" role="status"><span class="live-state" data-state=${this.paused && feed.status === 'live' ? 'paused' : feed.status}>${this.paused && feed.status === 'live' ? 'Paused' : STATES[feed.status]}</span></p>
        <button type="button" class="button button-small" aria-pressed=${this.paused} title="Or the key p" @click=${() => this.#pause(!this.paused)}>${this.paused ? 'Go on' : 'Pause'}</button>
        <p class="panel-count">${perSecond(feed.rate)}; ${counted(feed.received, 'event')} received${feed.gone > 0 ? `, the newest ${count(KEPT_MAX)} kept here` : ''}</p>
      </div>
      ${feed.notices.map((notice) => this.#notice(notice))}
      ${feed.waiting > 0 ? html`<p class="live-waiting"><button type="button" class="button button-strong" @click=${this.#catchUp}>${this.#waiting()}</button></p>` : nothing}
      ${feed.events.length === 0
        ? html`<p class="foot">${feed.status === 'live' ? 'No events yet' : 'Nothing to show yet'}</p>`
        : html`<event-table .events=${feed.events} .version=${feed.version} .columns=${this.columns} .density=${this.density} ?wrap=${this.wrap} .addressOf=${this.addressOf} .marks=${this.marks} .colours=${shownTypes()}
            dated marked @reading=${this.#onReading}></event-table>`}
      ${feed.gone > 0 ? html`<p class="foot">Older events are in the list of the hour: <button type="button" class="button button-small" @click=${() => this.tell('live', false)}>Stop and show it</button></p>` : nothing}
    `;
  }

  #waiting() {
    const { waiting } = this.feed;
    return waiting > KEPT_MAX ? `Show the newest ${count(KEPT_MAX)} of ${count(waiting)} new events` : `Show ${counted(waiting, 'new event')}`;
  }

  #notice(notice) {
    const dismiss = html`<button type="button" class="button" @click=${() => this.feed.dismiss(notice)}>Dismiss</button>`;
    if (notice.missing || notice.dropped) {
      const lacking = notice.missing ? `The store lacks parts of hours that this tail reads: ${notice.missing.join(', ')}. ` : '';
      const dropped = notice.dropped ? `Events were deleted of hours that this tail reads: ${namesOfDropped(notice.dropped)}.` : '';
      return callout({
        kind: 'warning',
        title: notice.missing ? 'Events may be missing here' : 'Hours were dropped',
        text: lacking + dropped,
        actions: dismiss,
      });
    }
    if (notice.kind === 'gap') {
      return callout({
        kind: 'warning',
        title: 'Late events may be missing here',
        text: `The page was away for longer than late events are remembered. Such events with a time before ${notice.to} are not in this tail; the lists of their hours have them.`,
        actions: dismiss,
      });
    }
    if (notice.kind === 'failed') {
      return callout({
        kind: 'warning',
        title: 'The filter takes too much for an event',
        text: `${notice.detail}. It is not shown here; later events are.`,
        actions: html`<a class="button" href=${hrefOf(notice.event)}>Show that event</a>${dismiss}`,
      });
    }
    const [from, to] = [Date.parse(notice.from), Date.parse(notice.to)];
    return callout({
      kind: 'warning',
      title: 'This page could not keep up',
      text: `Events from ${notice.from} to ${notice.to} are not shown here. Nothing is lost: the server has them.`,
      actions: html`
        <button type="button" class="button" @click=${() => this.tell('span', spanOf(from, Math.max(to, from + 1)))}>Show that time</button>
        <a class="button" href=${fileOf(notice.events)} download>Download them</a>${dismiss}
      `,
    });
  }

  #onReading({ detail }) {
    this.#reading = detail;
    this.#hold();
  }

  /** The first row is out of sight, or an event is unfolded. */
  #hold() {
    if (!this.isConnected) return;
    const head = this.querySelector('.events-head')?.getBoundingClientRect();
    const body = this.querySelector('.events-body')?.getBoundingClientRect();
    const above = Math.max(head?.bottom ?? 0, document.querySelector('.top')?.getBoundingClientRect().bottom ?? 0);
    const away = body !== undefined && body.top < above - OUT_OF_SIGHT_PIXELS;
    this.feed.hold(away || this.#reading || this.paused);
  }

  #pause(paused) {
    this.paused = paused;
    this.#hold();
  }

  /** Back to the top, to the newest events. */
  #catchUp() {
    this.paused = false;
    this.querySelector('event-table')?.fold();
    this.scrollIntoView({ block: 'start' });
    this.#onScroll();
  }
}

const STATES = {
  connecting: 'Connecting…',
  live: 'Live',
  away: 'No connection; trying again, and no event will be left out',
};

/** An address that the server names; relative, so that it works under any path. */
const hrefOf = (path, more = {}) => {
  const url = new URL(path, location.origin);
  return address(url.pathname.slice(1), { ...Object.fromEntries(url.searchParams), type: url.searchParams.getAll('type'), ...more });
};

/** The events of a query that the server names, as a file. */
const fileOf = (path) => hrefOf(path, { format: 'ndjson', download: 'true' });

customElements.define('live-panel', LivePanel);
