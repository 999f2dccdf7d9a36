package hourglass.load;

/** A run that cannot go on; the message is written for the person who started it. */
final class LoadFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  LoadFailure(String message) {
    super(message);
  }

  LoadFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
