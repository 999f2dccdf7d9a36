import { LitElement } from 'lit';

/**
 * A part of the page. Parts render into the page itself, not into shadow roots: one style sheet, and labels that can
 * point across parts.
 */
export class View extends LitElement {
  createRenderRoot() {
    return this;
  }

  /** Sends an event to the parts above, which own the state. */
  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }
}
