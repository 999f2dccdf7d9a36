package hourglass.store.cassandra.rows;

/** Heads alone do not answer the question; the bodies must be read. */
final class UnreadException extends RuntimeException {
  private static final long serialVersionUID = 1;

  UnreadException() {
    super("only the head of a pack was read", null, false, false);
  }
}
