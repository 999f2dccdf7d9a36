/**
 * Colours for a canvas, which knows no custom properties: an element of the page resolves them, for the theme that
 * holds now.
 *
 * @param {HTMLElement} host an element of the page
 * @returns {(css: string) => string} `var(--line)` as `rgb(227, 223, 215)`, for as long as the current task runs
 */
export function painter(host) {
  const probe = host.appendChild(document.createElement('i'));
  const colours = new Map();
  const resolve = (css) => {
    probe.style.color = css;
    return getComputedStyle(probe).color;
  };
  queueMicrotask(() => probe.remove());
  return (css) => colours.get(css) ?? colours.set(css, resolve(css)).get(css);
}
