import { html } from 'lit';

/**
 * A button that opens a small sheet below it. The sheet closes by Escape, by a click elsewhere and when the focus
 * leaves it.
 *
 * @param {{label: unknown, content: unknown, name: string, kind?: string, onOpen?: () => void, onClose?: () => void}} parts
 */
export const dropDown = ({ label, content, name, kind = '', onOpen = () => {}, onClose = () => {} }) => html`
  <details class="drop-down" data-name=${name} @keydown=${onKey} @focusout=${onFocusOut} @toggle=${(e) => (onToggle(e), e.target.open ? onOpen() : onClose())}>
    <summary class="button ${kind}">${label}</summary>
    <div class="drop-down-sheet floating">${content}</div>
  </details>
`;

/** Closes the sheet that an element stands in. */
export const closeDropDown = (element) => {
  element.closest('.drop-down')?.removeAttribute('open');
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

function onToggle({ currentTarget: sheet }) {
  if (!sheet.open) return;
  const close = ({ target }) => {
    if (sheet.open && sheet.contains(target)) return;
    sheet.open = false;
    removeEventListener('pointerdown', close);
  };
  addEventListener('pointerdown', close);
}
