package hourglass.access;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Tokens that return at a steady rate, up to those of one period. Thread-safe.
 *
 * <p>A request for more tokens than that passes when the bucket is full, and leaves a debt: the
 * next one waits until it is paid. So a large request is not refused for ever, and in the long run
 * no client exceeds the rate.
 *
 * <pre>
 *        now                       full again
 *   ------|----------------------------|------> time
 *         |<----- tokens missing ----->|     more than a period: a debt
 * </pre>
 */
// This is the generic cell rate algorithm (ITU-T I.371): its only state is the time at which the
// bucket is full again. The rate is an argument, since it may change; the missing tokens then stay,
// as time.
final class TokenBucket {
  /** The longest debt, so that sums of times cannot overflow. */
  private static final long DEBT_NANOS_MAX = Long.MAX_VALUE / 4;

  private final LongSupplier nanos;
  private final long periodNanos;
  private final AtomicLong fullAt;

  /** Creates a full bucket. The clock is monotonic. */
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
   * after them.
   *
   * @param perPeriod the rate, above 0
   * @return the nanoseconds until they are there; if more than {@code patienceNanos}, none is taken
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

  /** Returns the nanoseconds until so many tokens could be taken. */
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

  /**
   * Returns the cost as nanoseconds, rounded up, so that many small requests do not pass for
   * nothing.
   */
  private long cost(long tokens, long perPeriod) {
    double cost = Math.ceil((double) tokens * periodNanos / perPeriod);
    return Math.min(DEBT_NANOS_MAX, (long) cost);
  }
}
