package hourglass.query;

/** A question about an event that is not there. */
public final class NoSuchEventException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public NoSuchEventException(String message) {
    super(message);
  }
}
