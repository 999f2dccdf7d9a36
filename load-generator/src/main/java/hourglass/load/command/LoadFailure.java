package hourglass.load.command;

/** Thrown if a run cannot continue. Its message is for the user. */
public final class LoadFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public LoadFailure(String message) {
    super(message);
  }

  public LoadFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
