package hourglass.load.client;

import hourglass.load.command.Limits;
import org.jspecify.annotations.Nullable;

/** Reads a Retry-After header. */
final class RetryAfter {
  private RetryAfter() {}

  /**
   * Milliseconds to wait, at most {@link Limits#RETRY_AFTER_MILLIS_MAX}; -1 without a number of
   * seconds (a date is not honoured: clocks differ).
   */
  static long millis(@Nullable String header) {
    if (header == null || !header.strip().matches("\\d{1,9}(\\.\\d{1,3})?")) {
      return -1;
    }
    double millis = Double.parseDouble(header.strip()) * 1000;
    return (long) Math.min(millis, Limits.RETRY_AFTER_MILLIS_MAX);
  }
}
