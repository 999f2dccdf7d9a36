package hourglass.query.scan;

import java.util.concurrent.TimeUnit;

/**
 * One turn of a filter, which ends early if events need much time. Used by one thread at a time.
 */
public final class FilterTurn {
  /** The most events of a turn: a few milliseconds for a typical expression. */
  private static final int EVENTS = 8_192;

  private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** The number of events between two reads of the clock. */
  private static final int CLOCK_EVERY = 16;

  /** The clock is also read before an event of at least this size. */
  private static final int LONG_BYTES = 4_096;

  private int left = EVENTS;
  private long sinceNanos = System.nanoTime();

  public void begin() {
    left = EVENTS;
    sinceNanos = System.nanoTime();
  }

  /** Counts one more event of {@code bytes} in this turn; false if the turn is over. */
  public boolean takes(int bytes) {
    if (left == 0) {
      return false;
    }
    boolean isTimed = left % CLOCK_EVERY == 0 || bytes >= LONG_BYTES;
    if (isTimed && left < EVENTS && System.nanoTime() - sinceNanos >= NANOS) {
      left = 0;
      return false;
    }
    left--;
    return true;
  }
}
