import { svg, html } from 'lit';

/** Icons are decoration: the label of the button, or beside it, has their meaning. */
const icon = (shape) => html`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">${shape}</svg>`;

export const logo = html`<svg class="logo" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
  <path class="logo-glass" d="M6 3h12M6 21h12M7.5 3v3.2c0 2.3 4.5 4 4.5 5.8s-4.5 3.5-4.5 5.8V21M16.5 3v3.2c0 2.3-4.5 4-4.5 5.8s4.5 3.5 4.5 5.8V21" />
  <path class="logo-sand" d="M9.4 7.4h5.2c-.7 1-2.1 1.8-2.6 2.9-.5-1.1-1.9-1.9-2.6-2.9zM9 20c.2-2 2-2.6 3-3.7 1 1.1 2.8 1.7 3 3.7z" />
</svg>`;

export const left = icon(svg`<path d="M12.5 4.5 7 10l5.5 5.5" />`);
export const right = icon(svg`<path d="M7.5 4.5 13 10l-5.5 5.5" />`);
export const reload = icon(svg`<path d="M16.2 8.2A6.5 6.5 0 0 0 4.6 6.3L3.4 7.8M3.4 3.8v4h4M3.8 11.8a6.5 6.5 0 0 0 11.6 1.9l1.2-1.5M16.6 16.2v-4h-4" />`);
export const newest = icon(svg`<path d="M4 4.5 9.5 10 4 15.5M10 4.5 15.5 10 10 15.5" />`);
export const system = icon(svg`<rect x="3" y="4" width="14" height="9.5" rx="1.5" /><path d="M7.5 17h5" />`);
export const pulse = icon(svg`<path d="M2.5 10.5h3.5l2.5-6 3.5 11 2.5-5h3" />`);
export const sun = icon(svg`<circle cx="10" cy="10" r="3.3" /><path d="M10 2.5v1.7M10 15.8v1.7M2.5 10h1.7M15.8 10h1.7M4.7 4.7l1.2 1.2M14.1 14.1l1.2 1.2M4.7 15.3l1.2-1.2M14.1 5.9l1.2-1.2" />`);
export const moon = icon(svg`<path d="M16.5 11.7A6.8 6.8 0 0 1 8.3 3.5a6.8 6.8 0 1 0 8.2 8.2z" />`);
export const copy = icon(svg`<rect x="7" y="7" width="9.5" height="9.5" rx="1.5" /><path d="M13 7V5a1.5 1.5 0 0 0-1.5-1.5H5A1.5 1.5 0 0 0 3.5 5v6.5A1.5 1.5 0 0 0 5 13h2" />`);
export const done = icon(svg`<path d="m4 10.5 4 4 8-9" />`);
export const warning = icon(svg`<path d="M10 3 2.5 16.5h15zM10 8.5v3.5M10 14.2v.1" />`);
export const calendar = icon(svg`<rect x="3" y="4.5" width="14" height="12" rx="1.5" /><path d="M3 8.5h14M7 2.8v3.2M13 2.8v3.2" />`);
export const table = icon(svg`<path d="M3.5 4.5h13v11h-13zM3.5 8.5h13M8 8.5v7" />`);
export const sidebar = icon(svg`<rect x="3" y="4" width="14" height="12" rx="1.5" /><path d="M8 4v12" />`);
export const zoomOut = icon(svg`<circle cx="9" cy="9" r="5.5" /><path d="m13.2 13.2 3.6 3.6M6.7 9h4.6" />`);
export const link = icon(svg`<path d="M8.2 11.8a3.2 3.2 0 0 0 4.6 0l2.6-2.6a3.25 3.25 0 0 0-4.6-4.6l-1 1M11.8 8.2a3.2 3.2 0 0 0-4.6 0l-2.6 2.6a3.25 3.25 0 0 0 4.6 4.6l1-1" />`);
export const download = icon(svg`<path d="M10 3v9.5M6 9l4 4 4-4M3.5 16.5h13" />`);
export const close = icon(svg`<path d="m5 5 10 10M15 5 5 15" />`);
export const help = icon(svg`<circle cx="10" cy="10" r="7" /><path d="M7.9 8a2.1 2.1 0 1 1 3 1.9c-.6.3-.9.7-.9 1.4M10 13.8v.1" />`);
export const columns = icon(svg`<rect x="3" y="4" width="14" height="12" rx="1.5" /><path d="M7.7 4v12M12.3 4v12" />`);
export const bars = icon(svg`<path d="M4.5 16.5v-5M10 16.5v-13M15.5 16.5v-8" />`);
export const up = icon(svg`<path d="M4.5 12.5 10 7l5.5 5.5" />`);
export const down = icon(svg`<path d="M4.5 7.5 10 13l5.5-5.5" />`);
export const bookmark = icon(svg`<path d="M5.5 3.5h9v13L10 13l-4.5 3.5z" />`);
export const funnel = icon(svg`<path d="M3.5 4.5h13l-5 6v5l-3-1.5v-3.5z" />`);

export const without = icon(svg`<circle cx="10" cy="10" r="6.5" /><path d="m5.5 14.5 9-9" />`);
export const minus = icon(svg`<path d="M4.5 10h11" />`);
export const plus = icon(svg`<path d="M10 4.5v11M4.5 10h11" />`);
export const star = icon(svg`<path d="m10 3 2.1 4.6 5 .6-3.7 3.4 1 4.9-4.4-2.5-4.4 2.5 1-4.9L2.9 8.2l5-.6z" />`);

export const around = icon(svg`<path d="M4 5h12M4 15h12" /><path d="M2.5 10h15" stroke-width="3" />`);
export const key = icon(svg`<circle cx="6.5" cy="10" r="3.5" /><path d="M10 10h7.5M14.5 10v3M17 10v2" />`);
