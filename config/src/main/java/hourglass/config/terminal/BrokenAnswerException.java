package hourglass.config.terminal;

import java.io.IOException;

/** A body that broke off, so that what was read of it is not the answer. */
final class BrokenAnswerException extends IOException {
  private static final long serialVersionUID = 1L;

  BrokenAnswerException(String message) {
    super(message);
  }
}
