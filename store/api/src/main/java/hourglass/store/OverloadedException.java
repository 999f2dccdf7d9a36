package hourglass.store;

import java.time.Duration;

/** Pending work would exceed the memory of the store. Nothing was written; try again later. */
public final class OverloadedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Duration retryAfter;

  public OverloadedException(String message, Duration retryAfter) {
    super(message);
    this.retryAfter = retryAfter;
  }

  public Duration retryAfter() {
    return retryAfter;
  }
}
