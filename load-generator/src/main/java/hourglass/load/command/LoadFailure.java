package hourglass.load.command;

/** A run that cannot continue; its message is for the user. */
public final class LoadFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public LoadFailure(String message) {
    super(message);
  }

  public LoadFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
