package hourglass.config.server;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * A monotonic clock, for durations: time-outs, heartbeats, slow clients. Unrelated to the time of
 * day. Thread-safe.
 */
final class SteadyClock extends Clock {
  private final long startNanos = System.nanoTime();

  @Override
  public Instant instant() {
    return Instant.EPOCH.plusNanos(System.nanoTime() - startNanos);
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
