/** What keys do anywhere on the page, outside of fields. */
export const SHORTCUTS = [
  { key: '/', says: 'Write a filter', act: 'filter' },
  { key: 'j', says: 'The next event', act: 'next' },
  { key: 'k', says: 'The event before', act: 'before' },
  { key: 'Enter', says: 'Unfold the event, or fold it' },
  { key: 'n', says: 'The next page of events; in the live view, the newest ones', act: 'more' },
  { key: 'p', says: 'In the live view: pause, or go on; the space bar too' },
  { key: 'Escape', says: 'Close what is open, or stop a search', act: 'stop' },
  { key: '?', says: 'This help', act: 'help' },
];

/** What a key press asks for, or null: nothing with a modifier, and nothing while something is written. */
export function actOf({ key, ctrlKey, metaKey, altKey, isComposing }, isWriting) {
  if (ctrlKey || metaKey || altKey || isComposing || isWriting) return null;
  return SHORTCUTS.find((shortcut) => shortcut.key === key)?.act ?? null;
}

/** Whether an element takes the keys for itself. */
export const isWriting = (element) => element?.closest?.('input, textarea, select, [contenteditable], dialog') != null;

/** Elements that the space bar works by itself. */
const WORKED_BY_SPACE = 'button, summary, a, [role="button"], [role="tab"]';

/** Whether a key press pauses the live view, or lets it go on. */
export function isPause({ key, ctrlKey, metaKey, altKey, isComposing, defaultPrevented, target }) {
  if (ctrlKey || metaKey || altKey || isComposing || defaultPrevented || isWriting(target)) return false;
  return key === 'p' || (key === ' ' && target?.closest?.(WORKED_BY_SPACE) == null);
}
