import { html, nothing } from 'lit';

import { adviceFor } from '../../model/filter/advice.js';
import { logo } from '../icons.js';
import { View } from '../view.js';

/**
 * Asks for a key, above all that the page shows: what is behind is neither seen nor reached until there is one.
 */
export class SignIn extends View {
  static properties = {
    /** A Session. */
    session: { attribute: false },
    open: { type: Boolean },
    error: { state: true },
    busy: { state: true },
  };

  constructor() {
    super();
    this.error = null;
    this.busy = false;
  }

  render() {
    return html`
      <dialog class="sign-in floating" aria-labelledby="sign-in-title" @cancel=${(e) => e.preventDefault()} @close=${() => this.#show()}>
        <form @submit=${this.#onSubmit}>
          <p class="brand">${logo}Hourglass</p>
          <h2 id="sign-in-title">Sign in</h2>
          <p>${this.session?.key ? `The session of ${this.session.key.name} has ended, or its key has expired or been revoked.` : 'This server asks for a key.'}</p>
          <label for="sign-in-key">Key</label>
          <input id="sign-in-key" type="password" name="key" required autocomplete="current-password" spellcheck="false" autocapitalize="off"
            aria-invalid=${this.error ? 'true' : nothing} aria-errormessage=${this.error ? 'sign-in-error' : nothing} />
          <p id="sign-in-error" class="sign-in-error" role="alert">${this.error ? textOf(this.error) : nothing}</p>
          <button type="submit" class="button button-strong" aria-disabled=${this.busy ? 'true' : nothing}>${this.busy ? 'Signing in…' : 'Sign in'}</button>
        </form>
      </dialog>
    `;
  }

  updated() {
    this.#show();
  }

  #show() {
    const dialog = this.querySelector('dialog');
    if (this.open && !dialog.open) {
      dialog.showModal();
      this.#field.focus();
    } else if (!this.open && dialog.open) {
      dialog.close(); // the focus returns to where it was
    }
  }

  get #field() {
    return this.querySelector('input');
  }

  async #onSubmit(event) {
    event.preventDefault();
    if (this.busy) return;
    this.error = null;
    this.busy = true;
    try {
      await this.session.signIn(this.#field.value.trim());
      this.#field.value = '';
    } catch (error) {
      this.error = error;
      this.#field.select();
    }
    this.busy = false;
  }
}

function textOf(error) {
  if (error.status === 401) return adviceFor(error).advice;
  if (error.status !== 429) return `${adviceFor(error).title}. ${adviceFor(error).advice}`;
  const { retryAfterSeconds } = error;
  return `Too many attempts from this address. Try again ${retryAfterSeconds === null ? 'in a while' : `in ${retryAfterSeconds} s`}.`;
}

customElements.define('sign-in', SignIn);
