package hourglass.config;

/** The program cannot start; the message says why and what to do, to a person. */
final class StartException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StartException(String message, Throwable cause) {
    super(message, cause);
  }
}
