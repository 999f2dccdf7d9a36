package hourglass.query;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that is moved by hand. */
final class HandClock extends Clock {
  private volatile Instant now;

  HandClock(Instant start) {
    now = start;
  }

  /** Called by one thread at a time. */
  void pass(long millis) {
    now = now.plusMillis(millis);
  }

  @Override
  public Instant instant() {
    return now;
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
