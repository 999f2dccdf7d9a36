package hourglass.store;

/**
 * A promise that an engine cannot keep. The engine's contract tests then expect the refusal
 * instead.
 */
public enum Limitation {
  FORGETS_ON_CLOSE,

  /** No row ever gets a manifest. */
  NEVER_SEALS,

  /**
   * Parts of a mutation of more than some 64 KiB may be visible before the write is acknowledged,
   * and remain if it fails. A repeat of the write completes it.
   */
  SPLITS_LARGE_WRITES,

  /** A repeated write of a late column may be recorded as another late arrival. */
  NOTES_REPEATS,

  /** Single types of an hour cannot be dropped. */
  DROPS_WHOLE_HOURS
}
