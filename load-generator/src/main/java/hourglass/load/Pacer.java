package hourglass.load;

import java.util.concurrent.locks.LockSupport;

/**
 * The open-loop schedule: batch by batch, when each is meant to be sent, however long the ones
 * before it took. Immutable.
 */
record Pacer(Nanos nanos, long startNanos, double ratePerSecond) {
  /** When a batch is due; at full speed, that is now. */
  long dueNanos(Batch batch) {
    return dueNanos(batch.firstEvent());
  }

  /**
   * @param before how many events come before it
   */
  long dueNanos(long before) {
    return ratePerSecond == 0 ? nanos.now() : startNanos + (long) (before * (1e9 / ratePerSecond));
  }

  /**
   * Waits until it is due.
   *
   * @throws InterruptedException if the thread is interrupted meanwhile
   */
  void await(long dueNanos) throws InterruptedException {
    for (long left = dueNanos - nanos.now(); left > 0; left = dueNanos - nanos.now()) {
      LockSupport.parkNanos(left);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }
}
