/** How wide a reader made columns, by their names; kept in this browser. */

const KEY = 'hourglass.widths';

/** Columns whose width is kept; those that were set first go. */
const KEPT_MAX = 100;

export const WIDTH_MIN = 40;
export const WIDTH_MAX = 1_000;

/** @returns {Record<string, number>} pixels by name */
export function readWidths() {
  try {
    const kept = Object.entries(JSON.parse(localStorage.getItem(KEY)) ?? {});
    return Object.fromEntries(kept.filter(([, pixels]) => pixels >= WIDTH_MIN && pixels <= WIDTH_MAX));
  } catch {
    return {}; // none are kept, or what is there is none of ours
  }
}

/** The widths with that of one column set, within what a column may have. */
export function withWidth(widths, name, pixels) {
  const { [name]: _, ...others } = widths;
  const kept = Object.entries(others).slice(-(KEPT_MAX - 1));
  return { ...Object.fromEntries(kept), [name]: Math.round(Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, pixels))) };
}

export function keepWidths(widths) {
  try {
    localStorage.setItem(KEY, JSON.stringify(widths));
  } catch {
    // A browser that forbids storage: then they hold until the page is left.
  }
}
