import { html } from 'lit';

import { folded, LINES_SHOWN } from '../../model/event-fields.js';
import { count } from '../../model/format.js';
import { marked } from './marked.js';
import { View } from '../view.js';

/** A text with its line breaks; a long one is folded until the reader asks for all of it. */
export class LongText extends View {
  static properties = {
    text: {},
    /** The name of its field in the API, or null. */
    name: {},
    /** What was searched, from marksOf, or null. */
    marks: { attribute: false },
    open: { state: true },
  };

  constructor() {
    super();
    this.open = false;
  }

  willUpdate(changed) {
    if (changed.has('text')) this.open = false;
  }

  render() {
    const { text, open } = this;
    const short = folded(text);
    const shown = html`<span class="event-text json-string">${marked(short && !open ? short.shown : text, this.name, this.marks)}</span>`;
    if (!short) return shown;
    const size = short.byLines ? `${count(short.lines)} lines` : `${count(short.characters)} characters`;
    const less = short.byLines ? `Show ${LINES_SHOWN} lines` : 'Show less';
    return html`${shown}<button type="button" class="button button-small event-more" aria-expanded=${open} @click=${() => (this.open = !open)}>${open ? less : `Show all ${size}`}</button>`;
  }
}

customElements.define('long-text', LongText);
