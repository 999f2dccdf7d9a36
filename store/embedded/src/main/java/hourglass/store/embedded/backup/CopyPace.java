package hourglass.store.embedded.backup;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Limits the bytes that are copied in a second, so that queries and writes keep most of the disk.
 * Not thread-safe.
 */
final class CopyPace {
  /** The longest wait before a stop is noticed. */
  private static final long NAP_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(100);

  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  private final long bytesPerSecond;
  private final Check check;
  private final long beganNanos = System.nanoTime();
  private double dueNanos;

  /**
   * Creates a pace.
   *
   * @param bytesPerSecond 0 for no limit
   * @param check runs before and during each wait
   */
  CopyPace(long bytesPerSecond, Check check) {
    this.bytesPerSecond = bytesPerSecond;
    this.check = check;
  }

  /** Throws IOException if the copy is to stop. */
  interface Check {
    void run() throws IOException;
  }

  /** Waits until so many more bytes were due. Throws IOException once the copy is to stop. */
  void copied(long bytes) throws IOException {
    check.run();
    if (bytesPerSecond == 0) {
      return;
    }
    long passedNanos = System.nanoTime() - beganNanos;
    // Time in which nothing was copied is not made up for.
    dueNanos =
        Math.max(dueNanos, (double) passedNanos)
            + (double) bytes * NANOS_PER_SECOND / (double) bytesPerSecond;
    for (long left = left(); left > 0; left = left()) {
      LockSupport.parkNanos(Math.min(left, NAP_NANOS_MAX));
      check.run();
    }
  }

  private long left() {
    return (long) dueNanos - (System.nanoTime() - beganNanos);
  }
}
