/** Light, dark, or as the system says; kept in this browser. */

const KEY = 'hourglass.theme';
export const THEMES = ['system', 'light', 'dark'];

export function theme() {
  try {
    const kept = localStorage.getItem(KEY);
    return THEMES.includes(kept) ? kept : 'system';
  } catch {
    return 'system'; // a browser that forbids storage
  }
}

export function setTheme(name) {
  try {
    localStorage.setItem(KEY, name);
  } catch {
    // Then it holds until the page is left.
  }
  applyTheme(name);
}

export function applyTheme(name = theme()) {
  if (name === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  dispatchEvent(new CustomEvent('themechange'));
}
