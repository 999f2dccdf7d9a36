package hourglass.store.sandbox;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** A moment by which something should have happened. */
final class Deadline {
  private static final long POLL_MILLIS = 50;

  private final long endNanos;

  private Deadline(long endNanos) {
    this.endNanos = endNanos;
  }

  static Deadline in(Duration patience) {
    return new Deadline(System.nanoTime() + patience.toNanos());
  }

  /** Whether it became true in time; it is evaluated at least once. */
  boolean await(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - endNanos >= 0) {
        return false;
      }
      Thread.sleep(POLL_MILLIS);
    }
    return true;
  }
}
