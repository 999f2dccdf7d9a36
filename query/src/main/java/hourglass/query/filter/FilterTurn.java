package hourglass.query.filter;

import java.util.concurrent.TimeUnit;

/**
 * How long a filter may hold a thread before other queries have theirs: a number of events, or a
 * time where they take long. Used by one thread at a time.
 */
public final class FilterTurn {
  /** Some milliseconds, for an expression that costs what an expression costs. */
  private static final int EVENTS = 8_192;

  private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** The clock is read once for so many events, */
  private static final int CLOCK_EVERY = 16;

  /** and for each of so many bytes. */
  private static final int LONG_BYTES = 4_096;

  private int left = EVENTS;
  private long sinceNanos = System.nanoTime();

  /** Begins the next one. */
  public void begin() {
    left = EVENTS;
    sinceNanos = System.nanoTime();
  }

  /** Ends it. */
  public void end() {
    left = 0;
  }

  public boolean isOver() {
    return left == 0;
  }

  /** Whether it takes one more event, of so many bytes. */
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
