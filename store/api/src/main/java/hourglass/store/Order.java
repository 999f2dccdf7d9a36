package hourglass.store;

/** The direction of a read. */
public enum Order {
  ASCENDING,
  DESCENDING
}
