import { html } from 'lit';

import { closeDropDown, dropDown } from '../drop-down.js';

/** How a filter is written, with examples that find something. */
const WORDS = [
  ['time out', 'events with this text'],
  ['status:500', 'a value of a field'],
  ['status:(500 OR 503)', 'one of several'],
  ['ms:>250', 'more than; also >=, < and <='],
  ['path:/api/*', '* stands for any text'],
  ['-path:/health', 'not this value; events without the field stay'],
  ['user:*', 'the field is there'],
  ['type:checkout OR level:error', 'either'],
  ['detected_level:error', 'the level, in whatever field and spelling'],
];

/** @param {{where: string, says: string}[]} examples of CEL, from examplesOf */
export const searchHelp = (examples, onFill) => {
  const item = (text, says) => html`
    <li><button type="button" class="example" @click=${(e) => (closeDropDown(e.currentTarget), onFill(text))}><code>${text}</code></button><span>${says}</span></li>`;
  return dropDown({
    name: 'search-help',
    kind: 'button-bare search-help-button',
    label: html`<span aria-hidden="true">?</span><span class="visually-hidden">Examples</span>`,
    content: html`
      <div class="search-help">
        <h2>Simple words</h2>
        <ul>${WORDS.map(([text, says]) => item(text, says))}</ul>
        <h2>Expressions, in <abbr title="Common Expression Language">CEL</abbr></h2>
        <ul>${examples.map(({ where, says }) => item(where, says))}</ul>
        <p class="hint">One text can be searched at a time, byte for byte as it was sent. A click on a value of an event adds it to the filter.</p>
      </div>
    `,
  });
};
