package hourglass.config.server;

/** The program cannot start; the message says why and what to do, to a person. */
public final class StartException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StartException(String message, Throwable cause) {
    super(message, cause);
  }
}
