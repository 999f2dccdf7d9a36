package hourglass.load.send;

import hourglass.load.command.Nanos;
import java.util.concurrent.locks.LockSupport;

/**
 * The schedule of an open loop, in which batches are due however long earlier ones took. Immutable.
 */
public record Pacer(Nanos nanos, long startNanos, double ratePerSecond) {
  /** Returns when the event after {@code before} others is due. */
  public long dueNanos(long before) {
    return ratePerSecond == 0 ? nanos.now() : startNanos + (long) (before * (1e9 / ratePerSecond));
  }

  public void await(long dueNanos) throws InterruptedException {
    for (long left = dueNanos - nanos.now(); left > 0; left = dueNanos - nanos.now()) {
      LockSupport.parkNanos(left);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }
}
