package hourglass.load.client;

import java.util.concurrent.ThreadLocalRandom;

/** Delays before attempts: doubled each time, half by chance, bounded. */
public final class Backoff {
  private static final long FIRST_MILLIS = 50;
  private static final long LAST_MILLIS = 3_200;

  private Backoff() {}

  /** Until the next attempt: 0 is the first one again; -1 if no Retry-After asked. */
  public static long millis(int attempt, long askedMillis) {
    if (askedMillis >= 0) {
      return askedMillis;
    }
    long full = Math.min(LAST_MILLIS, FIRST_MILLIS << Math.min(attempt, 10));
    return full / 2 + ThreadLocalRandom.current().nextLong(full / 2 + 1);
  }
}
