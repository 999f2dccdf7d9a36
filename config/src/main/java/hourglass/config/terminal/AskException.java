package hourglass.config.terminal;

/** A question without a whole answer; the message is one line for the user. */
final class AskException extends Exception {
  private static final long serialVersionUID = 1L;

  AskException(String message) {
    super(message);
  }
}
