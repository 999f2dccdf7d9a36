package hourglass.query;

/** A query for an event that does not exist. */
public final class NoSuchEventException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public NoSuchEventException(String message) {
    super(message);
  }
}
