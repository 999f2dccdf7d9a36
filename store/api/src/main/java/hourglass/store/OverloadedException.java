package hourglass.store;

import java.time.Duration;

/** The store has more to do than it may hold in memory. Nothing was written; try again later. */
public final class OverloadedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Duration retryAfter;

  public OverloadedException(String message, Duration retryAfter) {
    super(message);
    this.retryAfter = retryAfter;
  }

  /** When it is worth trying again. */
  public Duration retryAfter() {
    return retryAfter;
  }
}
