import { html, nothing } from 'lit';

import { without } from '../icons.js';

/**
 * The names of the layers, in the order of the list of types. A name filters to its events; with Alt, or by the button
 * behind it, to all others.
 *
 * @param {(name: string, detail: unknown) => void} tell
 */
export const chartLegend = (layers, tell) => html`
  <ul class="legend" aria-label="Legend">
    ${layers.map((layer) => html`<li class="legend-entry">${entry(layer, tell)}</li>`)}
  </ul>
`;

function entry({ name, colour, type, only, others }, tell) {
  const label = html`<span class="swatch" .style=${`background:${colour}`}></span><span class="legend-name cut">${name}</span>`;
  const showOnly = () => (type === undefined ? tell('clause', only) : tell('types', [type]));
  const showOthers = () => tell('clause', others);
  return html`
    ${only === null ? html`<span class="legend-text" title=${name}>${label}</span>` : html`
      <button type="button" class="legend-only" title=${`Only ${name}; with Alt, all others`} @click=${(e) => (e.altKey && others !== null ? showOthers() : showOnly())}>${label}</button>`}
    ${others === null ? nothing : html`
      <button type="button" class="legend-others" aria-label=${`Without ${name}`} title=${`Without ${name}`} @click=${showOthers}>${without}</button>`}
  `;
}
