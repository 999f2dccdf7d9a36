import { html } from 'lit';

import { writeExact } from '../api/exact-json.js';
import './copy-button.js';
import './json-tree.js';

/** An event unfolded: its exact time, its id, its payload. */
export const eventDetail = (event) => html`
  <div class="detail">
    <dl class="detail-facts">
      <div><dt>Time</dt><dd>${event.time}</dd></div>
      <div><dt>Type</dt><dd>${event.type}</dd></div>
      <div><dt>Id</dt><dd>${event.id}</dd></div>
    </dl>
    <copy-button class="detail-copy" label="Copy JSON" .text=${() => writeExact(event.data)}></copy-button>
    <json-tree .value=${event.data}></json-tree>
  </div>
`;
