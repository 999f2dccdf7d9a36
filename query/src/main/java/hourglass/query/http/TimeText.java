package hourglass.query.http;

import hourglass.bucketing.Hour;
import hourglass.bucketing.Ticks;
import hourglass.query.BadParameterException;
import hourglass.query.TimeRange;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;

/** The times that a query may name: RFC 3339 with any offset, or an hour of UTC. */
public final class TimeText {
  public static final String ALLOWED =
      "a time such as 2026-11-20T08:00:00Z, 2026-11-20T09:00:00.25+01:00 or the hour 2026-11-20T08";

  /** The form of a time. The smart resolver accepts 24:00 as the end of a day. */
  private static final DateTimeFormatter RFC_3339 =
      DateTimeFormatter.ISO_OFFSET_DATE_TIME.withResolverStyle(ResolverStyle.SMART);

  private TimeText() {}

  /**
   * Returns the first tick at or after a time. Times outside 2000-2099 become the nearest end of
   * that range.
   *
   * @throws BadParameterException if the text is not a time
   */
  public static long parse(String name, String text) {
    if (text.length() == 13) {
      return hour(name, text).startTicks();
    }
    try {
      return ceil(OffsetDateTime.parse(repaired(text), RFC_3339));
    } catch (DateTimeParseException e) {
      throw BadParameterException.of(name, text, ALLOWED);
    }
  }

  static Hour hour(String name, String text) {
    try {
      return Hour.parse(text);
    } catch (IllegalArgumentException e) {
      throw BadParameterException.of(name, text, "an hour such as 2026-11-20T08, in 2000-2099");
    }
  }

  /**
   * Repairs a text in which a space stands for T, or for a + that was not escaped in the address.
   */
  private static String repaired(String text) {
    StringBuilder out = new StringBuilder(text);
    if (text.length() > 10 && text.charAt(10) == ' ') {
      out.setCharAt(10, 'T');
    }
    int sign = text.length() - 6;
    if (sign > 10 && text.charAt(sign) == ' ') {
      out.setCharAt(sign, '+');
    }
    return out.toString();
  }

  private static long ceil(OffsetDateTime time) {
    Instant instant = time.toInstant();
    if (instant.isBefore(Hour.FIRST.start())) {
      return TimeRange.ALL.fromTicks();
    }
    if (!instant.isBefore(Hour.LAST.end())) {
      return TimeRange.ALL.toTicks();
    }
    return Ticks.of(instant) + (time.getNano() % 100 == 0 ? 0 : 1);
  }
}
