import { LitElement } from 'lit';

/**
 * A part of the page. Parts render into the page itself, not into shadow roots: one style sheet, and labels that can
 * point across parts.
 */
export class View extends LitElement {
  createRenderRoot() {
    return this;
  }

  /** Tells the parts above: they own the state. */
  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }
}
