/** In which order a reader has put columns, by their names; kept in this browser for columns that are added. */

const KEY = 'hourglass.columns';

/** Names that are kept; the last ones go. */
const KEPT_MAX = 100;

/** @returns {string[]} */
export function readOrder() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY)) ?? [];
    return Array.isArray(kept) ? kept.filter((name) => typeof name === 'string').slice(0, KEPT_MAX) : [];
  } catch {
    return []; // none is kept, or what is there is none of ours
  }
}

/** Keeps the order of columns that were moved; others stay between them. */
export function keepOrder(columns) {
  try {
    localStorage.setItem(KEY, JSON.stringify(reordered(readOrder(), columns).slice(0, KEPT_MAX)));
  } catch {
    // A browser that forbids storage: then columns are added at the end.
  }
}

/** The order with that of the columns in it. */
export function reordered(order, columns) {
  const left = [...columns];
  return [...order.map((name) => (columns.includes(name) ? left.shift() : name)), ...left];
}

/** The columns and another one: before the first of those that come after it in the order, else at the end. */
export function withColumn(columns, name, order) {
  if (columns.includes(name)) return columns;
  const rank = order.indexOf(name);
  const behind = rank < 0 ? -1 : columns.findIndex((column) => order.indexOf(column) > rank);
  return columns.toSpliced(behind < 0 ? columns.length : behind, 0, name);
}
