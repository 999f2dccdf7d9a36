import { html, nothing } from 'lit';

import { keyMenu } from './access/key-menu.js';
import { help as helpIcon, logo, pulse } from './icons.js';
import './system/health-badge.js';
import './theme-switch.js';

/**
 * The line above all views.
 *
 * @param {{client, session, time: unknown, system: {address: string, isThere: boolean, follow: (e: Event) => void} | null,
 *     home: (e: Event) => void, help: () => void}} parts what it shows, and what its links and buttons do
 */
export const pageHead = ({ client, session, time, system, home, help }) => html`
  <header class="top">
    <a class="brand" href="?" @click=${home}>${logo}<span class="wide-only">Hourglass</span></a>
    ${time}
    <span class="top-tools">
      <health-badge .client=${client}></health-badge>
      ${system ? systemLink(system) : nothing}
      <button type="button" class="button button-bare" aria-label="Help" title="Help and keys" @click=${help}>${helpIcon}</button>
      <theme-switch></theme-switch>
      ${keyMenu(session)}
    </span>
  </header>
`;

const systemLink = ({ address, isThere, follow }) => html`<a class="button button-small button-plain" href=${address} title="The store and the process" aria-current=${isThere ? 'page' : nothing}
  @click=${follow}><span class="narrow-only">${pulse}</span><span class="wide-only">System</span></a>`;
