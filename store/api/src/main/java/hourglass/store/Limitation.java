package hourglass.store;

/** Something an engine cannot do. Its contract tests then expect the refusal instead. */
public enum Limitation {
  /** The store forgets everything when it is closed. */
  FORGETS_ON_CLOSE,

  /** No row ever gets a manifest, so every count and every cache looks at the columns. */
  NEVER_SEALS
}
