import { html } from 'lit';

import { copy, done } from './icons.js';
import { View } from './view.js';

/** How long the button says that it copied. */
const SAID_MILLIS = 2000;

/** Puts a text on the clipboard and says so. */
export class CopyButton extends View {
  static properties = {
    /** The text, or a function that gives it when it is wanted. */
    text: { attribute: false },
    label: {},
    /** Without the label beside the icon. */
    small: { type: Boolean },
    outcome: { state: true },
  };

  render() {
    const said = { copied: 'Copied', failed: 'Could not copy' }[this.outcome] ?? this.label;
    if (this.small) {
      return html`<button type="button" class="value-button" aria-label=${said} title=${said} @click=${this.#copy}>${this.outcome === 'copied' ? done : copy}</button>`;
    }
    return html`
      <button type="button" class="button button-small" @click=${this.#copy}>
        ${this.outcome === 'copied' ? done : copy}<span aria-live="polite">${said}</span>
      </button>
    `;
  }

  async #copy() {
    const text = typeof this.text === 'function' ? this.text() : this.text;
    this.outcome = (await write(text)) ? 'copied' : 'failed';
    setTimeout(() => (this.outcome = null), SAID_MILLIS);
  }
}

async function write(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return writeBySelection(text);
  }
}

/** Browsers keep the clipboard from pages over plain HTTP; a selection may still be copied. */
function writeBySelection(text) {
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'visually-hidden';
  document.body.append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  return copied;
}

customElements.define('copy-button', CopyButton);
