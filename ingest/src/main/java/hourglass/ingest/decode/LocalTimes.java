package hourglass.ingest.decode;

import hourglass.bucketing.Ticks;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * Converts times without an offset. Where clocks are set back, a time that occurs twice is the
 * earlier one; where they are set forward, a time that never occurs is later by the gap, as in
 * {@link java.time.ZonedDateTime#of(LocalDateTime, ZoneId)}.
 */
public final class LocalTimes {
  public static final String REFUSE = "refuse";

  /** The allowed values, for messages. */
  public static final String ALLOWED =
      "refuse, UTC, or a time zone such as Europe/Berlin or +01:00";

  private LocalTimes() {}

  /**
   * Returns the zone; null for {@code refuse}. Throws {@link IllegalArgumentException} where there
   * is no such zone.
   */
  public static @Nullable ZoneId zone(String text) {
    try {
      return text.equals(REFUSE) ? null : ZoneId.of(text).normalized();
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(text + ": no time zone", e);
    }
  }

  /** Returns the ticks of a local time, whose ticks were counted as if it were in UTC. */
  static long utc(long localTicks, ZoneId zone) {
    return localTicks - offset(localTicks, zone).getTotalSeconds() * Ticks.PER_SECOND;
  }

  private static ZoneOffset offset(long localTicks, ZoneId zone) {
    if (zone instanceof ZoneOffset fixed) {
      return fixed;
    }
    long seconds = Math.floorDiv(localTicks - Ticks.UNIX_EPOCH, Ticks.PER_SECOND);
    return zone.getRules().getOffset(LocalDateTime.ofEpochSecond(seconds, 0, ZoneOffset.UTC));
  }
}
