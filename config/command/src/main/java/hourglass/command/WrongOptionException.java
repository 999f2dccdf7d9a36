package hourglass.command;

/** Options that are wrong, alone or together. The message names them and what would be right. */
public final class WrongOptionException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public WrongOptionException(String message) {
    super(message);
  }
}
