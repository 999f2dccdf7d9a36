import { html } from 'lit';

/**
 * A button that opens a small sheet below it. The sheet closes by Escape, by a click elsewhere and when the focus
 * leaves it.
 *
 * @param {{label: unknown, content: unknown, name: string, kind?: string, entries?: string[], onOpen?: () => void, onClose?: () => void}} parts
 *     `entries` are selectors: the first one that matches within the sheet gets the focus when it opens
 */
export const dropDown = ({ label, content, name, kind = '', entries = [], onOpen = () => {}, onClose = () => {} }) => html`
  <details class="drop-down" data-name=${name} @keydown=${onKey} @focusout=${onFocusOut} @toggle=${(e) => (onToggle(e, entries), e.target.open ? onOpen() : onClose())}>
    <summary class="button ${kind}">${label}</summary>
    <div class="drop-down-sheet floating">${content}</div>
  </details>
`;

/** Closes the sheet that an element stands in; a focus within it goes back to the button. */
export const closeDropDown = (element) => {
  const sheet = element.closest('.drop-down');
  if (sheet?.contains(document.activeElement)) sheet.querySelector('summary').focus();
  sheet?.removeAttribute('open');
};

function onKey(event) {
  if (event.key !== 'Escape' || !event.currentTarget.open) return;
  event.preventDefault();
  event.currentTarget.open = false;
  event.currentTarget.querySelector('summary').focus();
}

function onFocusOut({ currentTarget, relatedTarget }) {
  if (relatedTarget && !currentTarget.contains(relatedTarget)) currentTarget.open = false;
}

function onToggle({ currentTarget: sheet }, entries) {
  if (!sheet.open) return;
  const entry = entries.map((selector) => sheet.querySelector(`.drop-down-sheet ${selector}`)).find(Boolean);
  // A reader may have gone on before the sheet is told to be open.
  if (!sheet.querySelector('.drop-down-sheet').contains(document.activeElement)) entry?.focus();
  const close = ({ target }) => {
    if (sheet.open && sheet.contains(target)) return;
    sheet.open = false;
    removeEventListener('pointerdown', close);
  };
  addEventListener('pointerdown', close);
}
