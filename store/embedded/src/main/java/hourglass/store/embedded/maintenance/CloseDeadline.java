package hourglass.store.embedded.maintenance;

import java.time.Duration;

/**
 * How long the work on pages may go on once the store closes. A process ends within 10 s of a
 * signal, and requests under way need some of them. The log keeps columns that are not flushed by
 * then, and the next process seals the rest. Thread-safe.
 */
public final class CloseDeadline {
  private static final long NANOS_MAX = Duration.ofSeconds(2).toNanos();

  /**
   * More rows than this with columns in no page are left to the log at once: to bring them back
   * takes less time than to write a page of each.
   */
  private static final int OPEN_ROWS_MAX = 10_000;

  private volatile boolean closing;
  private volatile long closedNanos;

  public void begin() {
    closedNanos = System.nanoTime();
    closing = true;
  }

  /** Whether the store closes and what can wait is to wait for the next start. */
  public boolean isClosing() {
    return closing;
  }

  /** Whether the store closes and even a flush is to be given up. */
  boolean isOver() {
    return closing && System.nanoTime() - closedNanos > NANOS_MAX;
  }

  /** Whether a flush of so many rows is not worth its begin. */
  boolean isTooShortFor(int openRows) {
    return isOver() || closing && openRows > OPEN_ROWS_MAX;
  }
}
