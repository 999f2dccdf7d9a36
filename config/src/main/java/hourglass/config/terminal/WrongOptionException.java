package hourglass.config.terminal;

/** Options that are wrong, alone or together. The message names them and what would be right. */
final class WrongOptionException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  WrongOptionException(String message) {
    super(message);
  }
}
