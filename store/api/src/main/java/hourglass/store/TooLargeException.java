package hourglass.store;

/**
 * The store can never take a write, since it is larger than a limit; nothing was written. The
 * message names the limit.
 */
public final class TooLargeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public TooLargeException(String message) {
    super(message);
  }
}
