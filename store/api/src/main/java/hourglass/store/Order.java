package hourglass.store;

/** The direction of a read. */
public enum Order {
  /** Oldest first. */
  ASCENDING,
  /** Newest first. */
  DESCENDING
}
