import { html, nothing } from 'lit';

import { closeDropDown, dropDown } from '../drop-down.js';

/** The language of filters, by examples; docs/filters.md has all of it. */
const EXAMPLES = [
  ['timeout', 'the word occurs anywhere, in any case'],
  ['"connection refused"', 'words one after the other'],
  ['status:500', 'a field has the value; in a text, the word occurs'],
  ['level:=error', 'exactly this value'],
  ['status>=500', 'more, less: > >= < <='],
  ['ms:250..500', 'between, with both ends'],
  ['host:web-*', 'begins so; *.png ends so, *cart* has it in it'],
  ['level:(error OR warn)', 'one of the values'],
  ['-path:/health', 'not this, also without the field'],
  ['_exists_:user', 'the field is there'],
  ['type:checkout OR level:error', 'either; beside one another, both'],
  ['data.status >= 500 && has(data.user)', 'an expression in CEL'],
];

/** @param {{q: string, says: string}[]} examples made from an event of the view, from examplesOf */
export const searchHelp = (examples, onFill) => {
  const item = ([text, says]) => html`
    <li><button type="button" class="example" @click=${(e) => (closeDropDown(e.currentTarget), onFill(text))}><code>${text}</code></button><span>${says}</span></li>`;
  return dropDown({
    name: 'search-help',
    kind: 'button-bare search-help-button',
    label: html`<span aria-hidden="true">?</span><span class="visually-hidden">How to write a filter</span>`,
    content: html`
      <div class="search-help">
        ${examples.length === 0 ? nothing : html`<h2>With what is here</h2><ul>${examples.map(({ q, says }) => item([q, says]))}</ul>`}
        <h2>How filters are written</h2>
        <ul>${EXAMPLES.map(item)}</ul>
        <p class="hint">An event's id leads to the event. A click on a value of an event adds it to the filter.</p>
      </div>
    `,
  });
};
