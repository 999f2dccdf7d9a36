package hourglass.load.client;

import java.util.concurrent.ThreadLocalRandom;

/** Computes delays between attempts: doubled each time up to a limit, half of each at random. */
public final class Backoff {
  private static final long FIRST_MILLIS = 50;
  private static final long LAST_MILLIS = 3_200;

  private Backoff() {}

  /**
   * Returns the milliseconds until the next attempt.
   *
   * @param attempt 0 after the first failure
   * @param askedMillis the target's Retry-After, or -1
   */
  public static long millis(int attempt, long askedMillis) {
    if (askedMillis >= 0) {
      return askedMillis;
    }
    long full = Math.min(LAST_MILLIS, FIRST_MILLIS << Math.min(attempt, 10));
    return full / 2 + ThreadLocalRandom.current().nextLong(full / 2 + 1);
  }
}
