package hourglass.store.embedded.maintenance;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * A clock that prevents early deletion if the system clock is ahead for some minutes. It uses the
 * smallest lead of the system clock over a monotonic clock in the last ten to twenty minutes. Not
 * thread-safe.
 */
public final class RetentionClock {
  private static final long WINDOW_MILLIS = Duration.ofMinutes(10).toMillis();

  private final Clock clock;
  private final LongSupplier steadyMillis;

  private long leastAheadMillis = Long.MAX_VALUE;

  private long leastBeforeMillis = Long.MAX_VALUE;

  private long windowMillis;

  /** Creates a clock; {@code steadyMillis} must never run backwards. */
  public RetentionClock(Clock clock, LongSupplier steadyMillis) {
    this.clock = clock;
    this.steadyMillis = steadyMillis;
    this.windowMillis = steadyMillis.getAsLong();
    sample();
  }

  /** Compares the two clocks. Must be called often. */
  public void sample() {
    long steady = steadyMillis.getAsLong();
    if (steady - windowMillis >= WINDOW_MILLIS) {
      leastBeforeMillis = leastAheadMillis;
      leastAheadMillis = Long.MAX_VALUE;
      windowMillis = steady;
    }
    leastAheadMillis = Math.min(leastAheadMillis, clock.millis() - steady);
  }

  /** The present hour since 1970. */
  int hour() {
    return (int) (instant().getEpochSecond() / Duration.ofHours(1).toSeconds());
  }

  /** Returns this clock's time, or that of the system clock if it is later. */
  Instant latest() {
    Instant system = clock.instant();
    Instant own = instant();
    return own.isAfter(system) ? own : system;
  }

  public Instant instant() {
    sample();
    long ahead = Math.min(leastAheadMillis, leastBeforeMillis);
    return Instant.ofEpochMilli(steadyMillis.getAsLong() + ahead);
  }
}
