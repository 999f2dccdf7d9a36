import { html, nothing } from 'lit';

import { severityOfWord } from '../../model/severity.js';
import { marked } from './marked.js';

/**
 * A field of a line, from previewOf, with what was searched marked. A level and a message say by themselves what they
 * are.
 */
export const pair = ([name, text, kind], marks = null) =>
  html`<span class="pair" data-name=${name === '' ? nothing : `data.${name}`} title=${['level', 'message'].includes(kind) ? name : nothing}>${['', 'level', 'message'].includes(kind) || name === '' ? nothing : html`<span class="json-key">${name}</span> `}<span
    class="json-${kind}" data-severity=${(kind === 'level' && severityOfWord(text)) || nothing}>${marked(text, `data.${name}`, marks)}</span></span>`;
