package hourglass.store;

import java.util.Arrays;

/**
 * The times at which events without a time of their own were first found.
 *
 * <p>An event is identified by 124 bits of the hash of its identity: the lower half of its column
 * name, and {@code more}. Immutable.
 */
public final class FirstTimes {
  public static final FirstTimes NONE = new FirstTimes(new long[0], new long[0], new long[0]);

  /** The size of an event in the log of the embedded engine, and in memory until it is flushed. */
  public static final int EVENT_BYTES = 3 * Long.BYTES;

  private static final long TICKS_MAX = (1L << 60) - 1;

  private final long[] lsb;
  private final long[] more;
  private final long[] ticks;

  /**
   * Takes over the arrays; the caller must not change them.
   *
   * @param ticks the first time of each event, in 100 ns since 1582-10-15 (RFC 9562), in {@code [1,
   *     2^60)}
   * @throws IllegalArgumentException if the arrays differ in length, or a tick is out of range
   */
  public FirstTimes(long[] lsb, long[] more, long[] ticks) {
    if (lsb.length != ticks.length || more.length != ticks.length) {
      throw new IllegalArgumentException(
          "%d, %d and %d events".formatted(lsb.length, more.length, ticks.length));
    }
    for (long each : ticks) {
      if (each <= 0 || each > TICKS_MAX) {
        throw new IllegalArgumentException("ticks: " + each + ", want 1 to 2^60 - 1");
      }
    }
    this.lsb = lsb;
    this.more = more;
    this.ticks = ticks;
  }

  /** Returns the same events with other times. */
  public FirstTimes at(long[] others) {
    return new FirstTimes(lsb, more, others);
  }

  /** Returns the events at these positions. */
  public FirstTimes some(int[] positions) {
    long[] someLsb = new long[positions.length];
    long[] someMore = new long[positions.length];
    long[] someTicks = new long[positions.length];
    for (int i = 0; i < positions.length; i++) {
      someLsb[i] = lsb[positions[i]];
      someMore[i] = more[positions[i]];
      someTicks[i] = ticks[positions[i]];
    }
    return new FirstTimes(someLsb, someMore, someTicks);
  }

  public int size() {
    return ticks.length;
  }

  public boolean isEmpty() {
    return ticks.length == 0;
  }

  public long lsb(int event) {
    return lsb[event];
  }

  public long more(int event) {
    return more[event];
  }

  public long ticks(int event) {
    return ticks[event];
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FirstTimes times
        && Arrays.equals(lsb, times.lsb)
        && Arrays.equals(more, times.more)
        && Arrays.equals(ticks, times.ticks);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(ticks);
  }

  @Override
  public String toString() {
    return size() + " first times";
  }
}
