package hourglass.bucketing;

import java.security.SecureRandom;
import java.time.Clock;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes column names for events that have no identity. Thread-safe.
 *
 * <p>A name contains the event's time and the next value of a 60-bit sequence. So names of one
 * generator always differ, and names of one tick sort in the order of their creation.
 */
public final class TimeUuidGenerator {
  /** The largest step back that is hidden. Corrections of a synchronized clock are smaller. */
  private static final long STEP_TICKS = Ticks.PER_SECOND;

  // The sequence starts at a random value below 2^59 in every process. Event times repeat (whole
  // seconds, replays), so only the sequence keeps two processes apart. If two processes make 10^9
  // names each, their ranges overlap with a probability of 2 * 10^9 / 2^59 = 3.5 * 10^-9.
  private final AtomicLong sequence;
  private final AtomicLong lastTicks = new AtomicLong();
  private final Clock clock;

  public TimeUuidGenerator(Clock clock) {
    this(clock, new SecureRandom().nextLong());
  }

  TimeUuidGenerator(Clock clock, long start) {
    this.clock = clock;
    // At least half of the numbers follow any start, so the order within a tick never wraps around.
    this.sequence = new AtomicLong(start & TimeUuid.VALUE_MASK >>> 1);
  }

  /**
   * Returns the time of receipt. If the clock steps back by at most a second, the previous time is
   * repeated, so that names stay in order. A larger step is followed, since a clock that was
   * briefly hours ahead must not shift later events.
   */
  public long nowTicks() {
    return lastTicks.accumulateAndGet(
        Ticks.of(clock.instant()),
        (last, now) -> last - now > STEP_TICKS ? now : Math.max(last, now));
  }

  /** Returns the clock, which may step back. */
  public Clock clock() {
    return clock;
  }

  /** Returns a name that is greater than all earlier ones, unless {@link #nowTicks} steps back. */
  public synchronized TimeUuid next() {
    return new TimeUuid(nowTicks(), nextLsb());
  }

  public long nextLsb() {
    return lsb(reserve(1));
  }

  /**
   * Reserves consecutive numbers for {@link #lsb}, and returns the first.
   *
   * @param count at least 0; a negative count would give numbers out twice
   */
  public long reserve(int count) {
    if (count < 0) {
      throw new IllegalArgumentException("count: " + count + ", want at least 0");
    }
    return sequence.getAndAdd(count);
  }

  public static long lsb(long number) {
    return TimeUuid.lsb(TimeUuid.GENERATED, number);
  }
}
