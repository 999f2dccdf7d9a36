package hourglass.testing;

import java.time.Clock;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock in UTC, whose time a test decides. */
public abstract class UtcClock extends Clock {
  @Override
  public final ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public final Clock withZone(ZoneId zone) {
    throw new IllegalArgumentException("UTC only");
  }
}
