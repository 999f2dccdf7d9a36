package hourglass.store.embedded.maintenance;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * The time by which events are deleted. A clock that is ahead for some minutes must delete nothing:
 * so this is what the clock said when it was least ahead in the last ten minutes, or a little
 * longer, and how long that is ago by a monotonic clock. Not thread-safe.
 */
public final class RetentionClock {
  private static final long WINDOW_MILLIS = Duration.ofMinutes(10).toMillis();

  private final Clock clock;
  private final LongSupplier steadyMillis;

  /** By how much the clock was ahead of the steady one at the least, in this window. */
  private long leastAheadMillis = Long.MAX_VALUE;

  /** The same of the window before. */
  private long leastBeforeMillis = Long.MAX_VALUE;

  private long windowMillis;

  /**
   * @param steadyMillis milliseconds since any moment; never goes back
   */
  public RetentionClock(Clock clock, LongSupplier steadyMillis) {
    this.clock = clock;
    this.steadyMillis = steadyMillis;
    this.windowMillis = steadyMillis.getAsLong();
    look();
  }

  /** Looks at the clock: to be called often. */
  public void look() {
    long steady = steadyMillis.getAsLong();
    if (steady - windowMillis >= WINDOW_MILLIS) {
      leastBeforeMillis = leastAheadMillis;
      leastAheadMillis = Long.MAX_VALUE;
      windowMillis = steady;
    }
    leastAheadMillis = Math.min(leastAheadMillis, clock.millis() - steady);
  }

  public Instant instant() {
    look();
    long ahead = Math.min(leastAheadMillis, leastBeforeMillis);
    return Instant.ofEpochMilli(steadyMillis.getAsLong() + ahead);
  }
}
