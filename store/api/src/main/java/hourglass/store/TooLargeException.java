package hourglass.store;

/**
 * A write is larger than a limit, which the message names. Nothing was written, and a repeat would
 * fail too.
 */
public final class TooLargeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public TooLargeException(String message) {
    super(message);
  }
}
