import { html } from 'lit';

import { setTheme, theme, THEMES } from '../state/theme.js';
import { moon, sun, system } from './icons.js';
import { View } from './view.js';

const ICONS = { system, light: sun, dark: moon };
const NAMES = { system: 'as the system', light: 'light', dark: 'dark' };

/** Steps through the themes: as the system, light, dark. */
export class ThemeSwitch extends View {
  static properties = { theme: { state: true } };

  constructor() {
    super();
    this.theme = theme();
  }

  render() {
    const label = `Theme: ${NAMES[this.theme]}`;
    return html`
      <button type="button" class="button button-bare" aria-label=${label} title=${label} @click=${this.#next}>
        ${ICONS[this.theme]}
      </button>
    `;
  }

  #next() {
    this.theme = THEMES[(THEMES.indexOf(this.theme) + 1) % THEMES.length];
    setTheme(this.theme);
  }
}

customElements.define('theme-switch', ThemeSwitch);
