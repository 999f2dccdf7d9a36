package hourglass.store.embedded.maintenance;

import java.time.Duration;

/**
 * Limits the work on pages while the store closes. A process ends within 10 s of a signal, and
 * requests in progress need part of that time. The next process does the rest. Thread-safe.
 */
public final class CloseDeadline {
  private static final long NANOS_MAX = Duration.ofSeconds(2).toNanos();

  /**
   * The most rows that a close flushes. If there are more, the log keeps them all, since replay
   * takes less time than writing a page of each.
   */
  private static final int OPEN_ROWS_MAX = 10_000;

  private volatile boolean closing;
  private volatile long closedNanos;

  public void begin() {
    closedNanos = System.nanoTime();
    closing = true;
  }

  public boolean isClosing() {
    return closing;
  }

  boolean isOver() {
    return closing && System.nanoTime() - closedNanos > NANOS_MAX;
  }

  boolean isTooShortFor(int openRows) {
    return isOver() || closing && openRows > OPEN_ROWS_MAX;
  }
}
