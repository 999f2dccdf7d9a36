import { html, nothing } from 'lit';

import { adviceFor } from '../model/filter/advice.js';
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

/** Stands for `lines` lines that are being loaded. */
export const bones = (lines) => html`<div class="bones" role="status"><span class="visually-hidden">Loading</span>${Array.from({ length: lines }, () => html`<span class="bone"></span>`)}</div>`;
