package hourglass.config.terminal;

/** Thrown if a question got no complete answer. The message is one line for the user. */
final class AskException extends Exception {
  private static final long serialVersionUID = 1L;

  AskException(String message) {
    super(message);
  }
}
