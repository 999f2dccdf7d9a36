import { html, nothing } from 'lit';

import { count, counted } from '../../model/format.js';
import { wallSpan, zoneName } from '../../model/time/zone.js';
import { callout } from '../callout.js';
import './nearest-hours.js';

/**
 * A view without hits: why, and the ways out.
 *
 * @param {(name: string, detail?: unknown) => void} tell as of a View
 * @param {number | null} others events of the span without types and filter; null where that is not known
 * @param meaning of the filter, from FilterMeanings; null while it is not known
 */
export function emptyView({ view, client, tell, others, meaning }) {
  const { span, types } = view;
  const filtered = view.q !== '';
  // Without a filter the directory of hours finds the nearest ones at once; with one, all events would have to be read.
  const ways = filtered ? nothing : html`<nearest-hours .client=${client} .span=${span} .types=${types}></nearest-hours>`;
  return callout({
    title: filtered ? 'No event matches the filter' : types.length > 0 ? 'No events of these types' : `No events in this ${span.noun}`,
    text: html`<p>${why(view, filtered)}</p>${others > 0 ? html`<p>Without ${filtered ? 'it' : 'this choice'}, the ${span.noun} has ${counted(others, 'event')}.</p>` : nothing}
      ${filtered ? html`<zero-results .client=${client} .view=${view} .meaning=${meaning}></zero-results>` : nothing}`,
    actions: html`
      ${filtered ? button('Remove the filter', () => tell('filter', '')) : nothing}
      ${types.length > 0 ? button('Show all types', () => tell('types', [])) : nothing}
      ${ways}
    `,
  });
}

function why({ span, types, q }, filtered) {
  const what = types.length > 0 ? `No event of type ${named(types)}` : 'No event';
  const future = span.fromMillis > Date.now() ? ` This ${span.noun} is yet to come.` : '';
  const when = `has its time ${wallSpan(span).within(zoneName())}`;
  return filtered ? html`${what} that ${when} fits <code>${q}</code>.${future}` : `${what} ${when}.${future}`;
}

/** As many as one reads; of more, the number. */
const NAMED_MAX = 5;

function named(types) {
  const some = types.slice(0, NAMED_MAX).map((t) => `“${t}”`).join(' or ');
  return types.length > NAMED_MAX ? `${some} or ${count(types.length - NAMED_MAX)} others` : some;
}

/** The view of a filter that the server refuses: the search box says why. */
export const withoutFilter = (span, tell) => html`<p class="without-filter"><span>This filter cannot be read, so all events of the ${span.noun} are shown.</span>
  <button type="button" class="button button-small" @click=${() => tell('filter', '')}>Remove the filter</button></p>`;

/** Counts of an answer that is not whole. */
export const partialCounts = (onAgain) =>
  callout({
    kind: 'warning',
    title: 'Some counts are missing',
    text: 'Some rows did not answer; their events are missing here.',
    actions: button('Ask again', onAgain),
  });

/** Hours whose events were deleted to make room, or by an operator. Most often there are few; of many, some are named. */
export const droppedHours = (dropped) =>
  callout({
    kind: 'warning',
    title: 'Hours were dropped',
    text: `Their events were deleted, and are not counted or listed here: ${namesOfDropped(dropped)}.`,
  });

/** Names dropped hours as an answer does: `2026-11-20T08`, ranges of hours, and `2026-11-20T08|checkout` for a type. */
export function namesOfDropped(dropped) {
  const others = dropped.length - NAMED_MAX;
  return `${dropped.slice(0, NAMED_MAX).join(', ')}${others > 0 ? ` and ${count(others)} others` : ''} (UTC)`;
}

/** An address whose time is none. */
export const noSpan = (text, onLatest) =>
  callout({
    kind: 'error',
    title: 'The address names no time',
    text: html`<p class="callout-detail">${text}</p>
      <p>An hour reads like hour=2026-11-20T08, a range like from=2026-11-20T08:05:00Z&amp;to=2026-11-20T08:07:30Z or last=15m.</p>`,
    actions: button('Go to the newest events', onLatest),
  });

const button = (text, act) => html`<button type="button" class="button" @click=${act}>${text}</button>`;
