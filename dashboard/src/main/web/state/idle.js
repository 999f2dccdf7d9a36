/** A browser that is busy for longer is not waited for. */
const PATIENCE_MILLIS = 500;

/** Resolves when the browser has drawn what it has, or soon after. Not every browser tells. */
export const idle = () =>
  new Promise((go) => {
    if (globalThis.requestIdleCallback) requestIdleCallback(() => go(), { timeout: PATIENCE_MILLIS });
    else setTimeout(go, PATIENCE_MILLIS / 10);
  });
