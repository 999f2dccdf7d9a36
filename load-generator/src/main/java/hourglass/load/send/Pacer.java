package hourglass.load.send;

import hourglass.load.client.Batch;
import hourglass.load.command.Nanos;
import java.util.concurrent.locks.LockSupport;

/**
 * The open-loop schedule: batch by batch, when each is meant to be sent, however long the ones
 * before it took. Immutable.
 */
public record Pacer(Nanos nanos, long startNanos, double ratePerSecond) {
  /** When a batch is due; at full speed, that is now. */
  public long dueNanos(Batch batch) {
    return dueNanos(batch.firstEvent());
  }

  /**
   * When an event is due.
   *
   * @param before number of events before it
   */
  public long dueNanos(long before) {
    return ratePerSecond == 0 ? nanos.now() : startNanos + (long) (before * (1e9 / ratePerSecond));
  }

  /**
   * Waits until it is due.
   *
   * @throws InterruptedException if the thread is interrupted meanwhile
   */
  public void await(long dueNanos) throws InterruptedException {
    for (long left = dueNanos - nanos.now(); left > 0; left = dueNanos - nanos.now()) {
      LockSupport.parkNanos(left);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }
}
