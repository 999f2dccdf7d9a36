import { html } from 'lit';

import { piecesOf } from '../../model/filter/marks.js';

/** A value's text with what was searched marked; as of piecesOf. */
export function marked(text, name, marks) {
  const pieces = piecesOf(text, name, marks);
  return pieces.length === 1 ? text : pieces.map((piece, i) => (i % 2 === 0 ? piece : html`<mark class="found">${piece}</mark>`));
}
