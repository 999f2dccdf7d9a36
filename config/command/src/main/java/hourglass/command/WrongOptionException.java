package hourglass.command;

/**
 * Thrown for options that are wrong, alone or together. The message names them and the allowed
 * values.
 */
public final class WrongOptionException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public WrongOptionException(String message) {
    super(message);
  }
}
