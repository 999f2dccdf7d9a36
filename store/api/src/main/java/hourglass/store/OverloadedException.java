package hourglass.store;

import hourglass.access.Refusal;
import hourglass.access.RefusedException;
import java.time.Duration;

/**
 * Thrown when pending work would exceed the memory of the store. Nothing was written; try again
 * later.
 */
public final class OverloadedException extends RefusedException {
  private static final long serialVersionUID = 1L;

  private final Duration retryAfter;

  public OverloadedException(String message, Duration retryAfter) {
    super(Refusal.TOO_MUCH, message, null);
    this.retryAfter = retryAfter;
  }

  @Override
  public Duration retryAfter() {
    return retryAfter;
  }
}
