package hourglass.config.server;

/** The message has the reason and the remedy, for a person. */
public final class StartException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StartException(String message, Throwable cause) {
    super(message, cause);
  }
}
