import { html, nothing } from 'lit';

import { ago } from '../../model/format.js';
import { Hour } from '../../model/time/hour.js';
import { clockText, dateText } from '../../model/time/range.js';
import { wall, zoneName } from '../../model/time/zone.js';

/**
 * A line about where the page has opened, where that is not the last hour alone.
 *
 * @param opening from openingOf
 * @param {(name: string, detail?: unknown) => void} tell as of a View; told `span` by the button
 */
export function openingNote({ part, old, ahead }, tell) {
  const isThere = ahead !== null && part.last === null && part.span.contains(ahead);
  return html`<p class="opening">
    ${old === null ? nothing : html`<span>Nothing in the last hour: the newest events are ${ago(old)} old, and this is their hour.</span>`}
    ${ahead === null ? nothing : isThere
      ? html`<span>All events are ahead of the clock, the newest by ${ago(ahead - Date.now())}. Perhaps their times are of another zone.</span>`
      : html`<span>There are events ahead of the clock, up to ${timeText(ahead)}.</span>
        <button type="button" class="button button-small" @click=${() => tell('span', new Hour(ahead))}>Show them</button>`}
  </p>`;
}

const timeText = (millis) => `${dateText(wall(millis))} ${clockText(Math.floor(wall(millis) / 1000) * 1000)} ${zoneName()}`;
