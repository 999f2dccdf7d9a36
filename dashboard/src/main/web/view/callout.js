import { html, nothing } from 'lit';

import { adviceFor } from '../model/filter/advice.js';
import { NOT_LOADED } from '../state/lazy.js';
import { warning } from './icons.js';

/**
 * A state of a panel, in words: the fact, its reason, and the remedy.
 *
 * @param {{kind?: 'note' | 'warning' | 'error', title: string, text?: unknown, actions?: unknown}} said
 */
export const callout = ({ kind = 'note', title, text = nothing, actions = nothing }) => html`
  <div class="callout callout-${kind}" role=${kind === 'error' ? 'alert' : nothing}>
    ${kind === 'note' ? nothing : warning}
    <div class="callout-body">
      <p class="callout-title">${title}</p>
      ${text === nothing ? nothing : html`<div class="callout-text">${text}</div>`}
      ${actions === nothing ? nothing : html`<div class="callout-actions">${actions}</div>`}
    </div>
  </div>
`;

/**
 * An error with its reason and its remedy.
 *
 * @param {string} note a further sentence, or empty
 */
export function errorCallout(error, onRetry, note = '') {
  const { title, detail, advice } = adviceFor(error);
  return callout({
    kind: 'error',
    title,
    text: html`${detail && error.status !== 0 ? html`<p class="callout-detail">${detail}</p>` : nothing}<p>${advice} ${note}</p>`,
    actions: html`<button type="button" class="button" @click=${onRetry}>Try again</button>`,
  });
}

/**
 * What a part of the page says of an error, where there is nothing else to show. A server that is away is named once, by
 * the page, which asks again by itself.
 */
export function partError(error, onRetry) {
  if (error.status !== 0 && error.status !== NOT_LOADED) return errorCallout(error, onRetry);
  const again = html`<button type="button" class="button button-small" @click=${onRetry}>Try again</button>`;
  if (error.status === 0) return html`<p class="foot">Not known while the server cannot be reached ${again}</p>`;
  return html`<p class="foot">This part of the page could not be loaded. The server may be away, or have a newer version of the page. ${again}
    <button type="button" class="button button-small" @click=${() => location.reload()}>Reload the page</button></p>`;
}

/** Stands for `lines` lines that are being loaded. */
export const bones = (lines) => html`<div class="bones" role="status"><span class="visually-hidden">Loading</span>${Array.from({ length: lines }, () => html`<span class="bone"></span>`)}</div>`;
