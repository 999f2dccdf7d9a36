package hourglass.load.command;

/** A run that cannot go on; the message is written for the person who started it. */
public final class LoadFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public LoadFailure(String message) {
    super(message);
  }

  public LoadFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
