package hourglass.bucketing;

import java.security.SecureRandom;
import java.time.Clock;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes column names for events that bring no identity of their own. Safe for use by any number of
 * threads.
 *
 * <p>A name holds the event's time and the next of a running 60-bit number, so two names of one
 * generator differ whatever their times, and names of one tick sort in the order they were made.
 */
public final class TimeUuidGenerator {
  /** A clock that is kept right by small steps takes none larger. */
  private static final long STEP_TICKS = Ticks.PER_SECOND;

  // The running number starts at a random place of 2^60 in every process. Event times repeat (whole
  // seconds, replays), so nothing but the number keeps two processes apart: for two that make 10^9
  // names each, the odds that their stretches touch at all are 2 * 10^9 / 2^60 = 2 * 10^-9, and
  // only
  // the same number in the same tick of the same row would be a loss. A number that never goes back
  // needs no state on disk, no clock, and no counter per tick that could run out.
  private final AtomicLong sequence;
  private final AtomicLong lastTicks = new AtomicLong();
  private final Clock clock;

  /** A generator with a random start. */
  public TimeUuidGenerator(Clock clock) {
    this(clock, new SecureRandom().nextLong());
  }

  TimeUuidGenerator(Clock clock, long start) {
    this.clock = clock;
    // Half of the numbers lie ahead of any start, so the order within a tick never wraps around.
    this.sequence = new AtomicLong(start & NameValue.VALUE_MASK >>> 1);
  }

  /**
   * The time of receipt, in ticks: the clock's, but not less than an earlier answer where the clock
   * steps back by a second at the most, so that names stay in order. A larger step is followed: an
   * event must not get a time that is hours ahead because the clock was so for a moment.
   */
  public long nowTicks() {
    return lastTicks.accumulateAndGet(
        Ticks.of(clock.instant()),
        (last, now) -> last - now > STEP_TICKS ? now : Math.max(last, now));
  }

  /** The clock that it asks: it may step back. */
  public Clock clock() {
    return clock;
  }

  /** A fresh name at {@link #nowTicks}; greater than those before it if that is. */
  public synchronized TimeUuid next() {
    return new TimeUuid(nowTicks(), nextLsb());
  }

  /** The lower half of a fresh name, for a time of the caller's. */
  public long nextLsb() {
    return lsb(reserve(1));
  }

  /**
   * Reserves consecutive numbers for a batch; pass each to {@link #lsb}.
   *
   * @param count how many, at least 1
   * @return the first of them
   */
  public long reserve(int count) {
    return sequence.getAndAdd(count);
  }

  /** The lower half of the name that a reserved number makes. */
  public static long lsb(long number) {
    return NameValue.lsb(NameValue.GENERATED, number);
  }
}
