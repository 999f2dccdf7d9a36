package hourglass.config.terminal;

import java.io.IOException;

/**
 * Thrown for a body that broke off or is malformed, so that the part that was read is not the
 * answer.
 */
final class BrokenAnswerException extends IOException {
  private static final long serialVersionUID = 1L;

  BrokenAnswerException(String message) {
    super(message);
  }
}
