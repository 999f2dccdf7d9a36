package hourglass.store.cassandra;

import hourglass.testing.UtcClock;
import java.time.Instant;

/** Runs from the time it is set to, so that late records settle. */
final class RunningClock extends UtcClock {
  private record Start(Instant instant, long nanos) {}

  private volatile Start start;

  RunningClock(Instant now) {
    start = new Start(now, System.nanoTime());
  }

  void set(Instant instant) {
    start = new Start(instant, System.nanoTime());
  }

  @Override
  public Instant instant() {
    Start last = start;
    return last.instant().plusNanos(System.nanoTime() - last.nanos());
  }
}
