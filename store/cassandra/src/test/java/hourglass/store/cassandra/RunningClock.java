package hourglass.store.cassandra;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** Runs from the time it is set to, so that late records settle. */
final class RunningClock extends Clock {
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

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    throw new IllegalArgumentException("UTC only");
  }
}
