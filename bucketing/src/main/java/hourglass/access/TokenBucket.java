package hourglass.access;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Tokens that come back at a steady rate, as many as come within one period at most. Thread-safe.
 *
 * <p>A request for more tokens than that passes when the bucket is full, and leaves a debt: the
 * next one waits until it is paid. So a large request is not refused for ever, and in the long run
 * no client takes more than the rate.
 *
 * <pre>
 *        now                       full again
 *   ------|----------------------------|------> time
 *         |<----- tokens missing ----->|     more than a period: a debt
 * </pre>
 */
// The generic cell rate algorithm (ITU-T I.371): the only state is the time at which the bucket is
// full again. The rate is an argument, since it may change: what is missing stays, as time.
final class TokenBucket {
  /** Longer debts end here, so that sums of times cannot overflow. */
  private static final long DEBT_NANOS_MAX = Long.MAX_VALUE / 4;

  private final LongSupplier nanos;
  private final long periodNanos;
  private final AtomicLong fullAt;

  /** Full at the start. The clock is monotonic. */
  TokenBucket(LongSupplier nanos, long periodNanos) {
    this.nanos = nanos;
    this.periodNanos = periodNanos;
    fullAt = new AtomicLong(nanos.getAsLong());
  }

  /** Takes tokens if they are there. Returns 0, or else the nanoseconds until they will be. */
  long tryTake(long tokens, long perPeriod) {
    return tryTake(tokens, perPeriod, 0);
  }

  /**
   * Takes tokens that are there, or will be within {@code patienceNanos}. Later calls get theirs
   * behind them.
   *
   * @param perPeriod the rate, above 0
   * @return the nanoseconds until they are there; beyond {@code patienceNanos} none is taken
   */
  long tryTake(long tokens, long perPeriod, long patienceNanos) {
    long cost = cost(tokens, perPeriod);
    while (true) {
      long now = nanos.getAsLong();
      long before = fullAt.get();
      long missing = Math.max(0, before - now);
      long wait = wait(missing, cost);
      if (wait > patienceNanos
          || fullAt.compareAndSet(before, now + Math.min(DEBT_NANOS_MAX, missing + cost))) {
        return Math.max(0, wait);
      }
    }
  }

  /** The nanoseconds until so many tokens could be taken. */
  long waitNanos(long tokens, long perPeriod) {
    long missing = Math.max(0, fullAt.get() - nanos.getAsLong());
    return Math.max(0, wait(missing, cost(tokens, perPeriod)));
  }

  private long wait(long missing, long cost) {
    return missing - (periodNanos - Math.min(cost, periodNanos));
  }

  /** Takes tokens that are already used up, as a debt if need be. */
  void take(long tokens, long perPeriod) {
    long cost = cost(tokens, perPeriod);
    fullAt.updateAndGet(
        before -> {
          long now = nanos.getAsLong();
          return now + Math.min(DEBT_NANOS_MAX, Math.max(0, before - now) + cost);
        });
  }

  boolean isFull() {
    return fullAt.get() - nanos.getAsLong() <= 0;
  }

  /** Rounded up, so that many small requests do not pass for nothing. */
  private long cost(long tokens, long perPeriod) {
    double cost = Math.ceil((double) tokens * periodNanos / perPeriod);
    return Math.min(DEBT_NANOS_MAX, (long) cost);
  }
}
