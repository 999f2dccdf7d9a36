package hourglass.load.lab;

import java.util.SplittableRandom;

/**
 * An event to write. Every event has {@link #BYTES} of payload.
 *
 * @param dueNanos when it is sent, after the start of the measurement; below 0 in the warm-up
 * @param ticks its own time, in units of 100 ns
 * @param original the number of the event that it repeats, or its own number
 * @param phase the number of its phase
 */
record Event(long dueNanos, long ticks, String type, int original, int phase) {
  static final int BYTES = 200;
  static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private static final long VARIANT = 0x8000000000000000L;
  private static final long VALUE = 0x0FFFFFFFFFFFFFFFL;

  boolean isMeasured() {
    return dueNanos >= 0;
  }

  /** Returns the lower half of the column name, which only an event and its repeats share. */
  long lsb() {
    return VARIANT | new SplittableRandom(original * GOLDEN).nextLong() & VALUE;
  }
}
