/**
 * A filter that the server refused before there was anything to show, as of a link with a slip: the view is shown
 * without it, beside the reason, until there is another filter.
 */
export class RefusedFilter {
  #key = null;
  #refusal = null;

  /** @param refusal from refusalOf */
  note(view, refusal) {
    this.#key = keyOf(view);
    this.#refusal = refusal;
  }

  /** The refusal of the view's filter, or null. */
  of(view) {
    return this.#key === keyOf(view) ? this.#refusal : null;
  }

  /** The view as it can be shown. */
  shown(view) {
    return this.of(view) ? { ...view, q: '' } : view;
  }
}

const keyOf = ({ q }) => q;
