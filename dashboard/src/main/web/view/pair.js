import { html, nothing } from 'lit';

import { gravityOf } from '../model/json-preview.js';

/** A field of a line, from previewOf. A level and a message say by themselves what they are. */
export const pair = ([name, text, kind]) =>
  html`<span class="pair" title=${['level', 'message'].includes(kind) ? name : nothing}>${['', 'level', 'message'].includes(kind) || name === '' ? nothing : html`<span class="json-key">${name}</span> `}<span
    class="json-${kind}" data-gravity=${(kind === 'level' && gravityOf(text)) || nothing}>${text}</span></span>`;
