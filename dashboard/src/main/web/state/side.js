/** Widths of the window that style/side.css knows too. */
const WIDE = matchMedia('(min-width: 1100px)');

/**
 * Whether the left side is seen: beside the page as the reader likes it, or over it for a moment where there is no
 * room.
 */
export class Side {
  #host;
  #preferences;

  /** Whether it lies over the page. */
  drawer = false;

  constructor(host, preferences) {
    this.#host = host;
    this.#preferences = preferences;
    host.addController(this);
  }

  hostConnected() {
    WIDE.addEventListener('change', this.#onWidth);
  }

  hostDisconnected() {
    WIDE.removeEventListener('change', this.#onWidth);
  }

  #onWidth = () => this.#host.requestUpdate();

  /** Beside the page. */
  get open() {
    return this.#preferences.get('side') === 'open';
  }

  get seen() {
    return WIDE.matches ? this.open : this.drawer;
  }

  toggle() {
    if (WIDE.matches) this.#preferences.set('side', this.open ? 'folded' : 'open');
    else this.show(!this.drawer);
  }

  /** Opens or closes the drawer, and moves the focus along. */
  async show(drawer) {
    this.drawer = drawer;
    this.#host.requestUpdate();
    await this.#host.updateComplete;
    this.#host.querySelector(drawer ? '.side :is(button, input)' : '.side-switch')?.focus();
  }
}
