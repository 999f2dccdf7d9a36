import { html } from 'lit';

import { sidebar } from '../icons.js';

/**
 * The left side, in a column of its own or as a drawer, and what is beside it.
 *
 * @param {import('../../state/side.js').Side} side
 */
export const columnsOfPage = (side, left, main) => html`
  <div class="columns" data-side=${side.open ? 'open' : 'folded'} data-drawer=${side.drawer ? 'open' : 'closed'}
    @keydown=${({ key }) => key === 'Escape' && side.drawer && side.show(false)}>
    <aside class="side" id="side" aria-label="Types and fields">${left}</aside>
    <div class="side-shade" @click=${() => side.show(false)}></div>
    <main class="page">${main}</main>
  </div>
`;

export const sideSwitch = (side) => html`
  <button type="button" class="button button-bare side-switch" aria-label="Types and fields" title="Types and fields" aria-controls="side" aria-expanded=${side.seen}
    @click=${() => side.toggle()}>${sidebar}</button>
`;
