package hourglass.store;

import hourglass.access.Refusal;
import hourglass.access.RefusedException;

/**
 * Thrown when a write is larger than a limit, which the message names. Nothing was written, and a
 * repeat would fail too.
 */
public final class TooLargeException extends RefusedException {
  private static final long serialVersionUID = 1L;

  public TooLargeException(String message) {
    super(Refusal.FOR_GOOD, message, null);
  }
}
