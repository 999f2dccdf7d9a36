package hourglass.store.cassandra.rows;

/** Thrown when heads alone do not suffice for an answer; the bodies must be read. */
final class UnreadException extends RuntimeException {
  private static final long serialVersionUID = 1;

  UnreadException() {
    super("only the head of a pack was read", null, false, false);
  }
}
