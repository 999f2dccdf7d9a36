package hourglass.config.server;

/** Thrown when the process cannot start. Its message gives a person the reason and the remedy. */
public final class StartException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StartException(String message) {
    super(message);
  }

  public StartException(String message, Throwable cause) {
    super(message, cause);
  }
}
