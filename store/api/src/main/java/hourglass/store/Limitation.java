package hourglass.store;

/** Something an engine cannot do. Its contract tests then expect the refusal instead. */
public enum Limitation {
  /** The store forgets everything when it is closed. */
  FORGETS_ON_CLOSE,

  /** No row ever gets a manifest, so every count and every cache looks at the columns. */
  NEVER_SEALS,

  /**
   * A mutation of more than some 64 KiB is not atomic: parts of it may be seen before it is
   * acknowledged, and stay where it fails. Writing it again makes it whole.
   */
  SPLITS_LARGE_WRITES,

  /** A late column that was there before may be noted again when it is written again. */
  NOTES_REPEATS
}
