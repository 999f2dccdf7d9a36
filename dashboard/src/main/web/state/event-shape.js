/** Whether a reader sees opened events as a table or as JSON; kept in this browser. */

const KEY = 'hourglass.event';

export const SHAPES = ['table', 'json'];

/** @returns {'table' | 'json'} */
export function readShape() {
  try {
    const kept = localStorage.getItem(KEY);
    return SHAPES.includes(kept) ? kept : SHAPES[0];
  } catch {
    return SHAPES[0];
  }
}

export function keepShape(shape) {
  try {
    localStorage.setItem(KEY, shape);
  } catch {
    // A browser that forbids storage: the next event is a table again.
  }
}
