import { html, nothing } from 'lit';

import { writeExact } from '../../api/exact-json.js';
import { localInstant } from '../../model/time/local-time.js';
import '../copy-button.js';
import './json-tree.js';

/**
 * An event unfolded: its exact time, its id, its payload.
 *
 * @param event as the API gives it
 * @param {string} address of the view that shows this event by itself
 * @param marks from marksOf, or null
 */
export const eventDetail = (event, address, marks = null) => html`
  <div class="detail">
    <div class="detail-head">
      <dl class="detail-facts">
        <div><dt>Time</dt><dd>${event.time}</dd></div>
        ${local(event.time)}
        <div><dt>Type</dt><dd>${event.type}</dd></div>
        <div><dt>Id</dt><dd>${event.id}</dd></div>
      </dl>
      <div class="detail-tools">
        <button type="button" class="button button-small" @click=${(e) => around(e, event)}>Before and after</button>
        <copy-button label="Copy JSON" .text=${() => writeExact(event.data)}></copy-button>
        <copy-button label="Copy link" .text=${() => new URL(address, location.href).href}></copy-button>
      </div>
    </div>
    <json-tree .value=${event.data} .marks=${marks}></json-tree>
  </div>
`;

/** Asks the page for the event among its neighbours. */
export const around = ({ currentTarget }, { id, type }) => currentTarget.dispatchEvent(new CustomEvent('around', { detail: { id, type }, bubbles: true }));

function local(time) {
  const text = localInstant(time);
  return text === null ? nothing : html`<div><dt>Here</dt><dd class="detail-local">${text}</dd></div>`;
}
