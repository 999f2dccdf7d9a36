import { html, nothing } from 'lit';

import { scopesText, typesText } from '../../model/access.js';
import { callout } from '../callout.js';
import { dropDown } from '../drop-down.js';
import { key as keyIcon } from '../icons.js';

/** Whose key is signed in, what it may do, and the way out; nothing where the server has no keys. */
export function keyMenu(session) {
  const { key, failure } = session;
  if (!key) return nothing;
  return dropDown({
    name: 'key',
    kind: 'button-small button-plain',
    label: html`${keyIcon}<span class="visually-hidden">Key </span><span class="key-name cut wide-only">${key.name}</span>`,
    content: html`
      <h2>${key.name}</h2>
      <dl class="facts"><div><dt>Scopes</dt><dd>${scopesText(key)}</dd></div><div><dt>Types</dt><dd>${typesText(key)}</dd></div></dl>
      ${failure ? callout({ kind: 'error', title: 'Signing out failed', text: failure.message }) : nothing}
      <button type="button" class="button" @click=${() => session.signOut()}>Sign out</button>
    `,
  });
}
