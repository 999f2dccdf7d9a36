package hourglass.config.terminal;

import hourglass.bucketing.Hour;
import hourglass.command.OptionTypes;
import hourglass.command.WrongOptionException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads times as people type them. Days, and times without an offset, are in UTC, like all times
 * that are printed.
 */
final class TypedTime {
  private static final Pattern WITHOUT_OFFSET =
      Pattern.compile("(\\d{4}-\\d{2}-\\d{2})[Tt ](\\d{2}:\\d{2})(:\\d{2}(?:\\.\\d+)?)?");
  private static final Pattern LIKE_A_TIME = Pattern.compile("\\d{4}-\\d{2}-\\d{2}[Tt ]\\d{2}.*");

  private TypedTime() {}

  /**
   * Returns the time in a form that the server reads and checks. The time of a day is its start.
   *
   * @param option the name of the option, for the message
   * @throws WrongOptionException if the text does not look like a time
   */
  static String time(String option, String text, Instant now) {
    if (text.equals("now")) {
      return now.toString();
    }
    LocalDate day = day(text, now);
    if (day != null) {
      return begin(day);
    }
    Matcher local = WITHOUT_OFFSET.matcher(text);
    if (local.matches()) {
      String seconds = local.group(3) == null ? ":00" : local.group(3);
      return local.group(1) + 'T' + local.group(2) + seconds + 'Z';
    }
    if (LIKE_A_TIME.matcher(text).matches()) {
      return text;
    }
    String duration = option.equals("--since") ? "a duration such as 15m, 2h or 3d, " : "";
    throw new WrongOptionException(
        "%s: %s, want %sa day such as 2026-11-20, a time such as 2026-11-20T08:00:00Z, now, today or yesterday"
            .formatted(option, text, duration));
  }

  /**
   * Returns the day of a date, {@code today} or {@code yesterday}, or null if the text is none of
   * them.
   */
  static @Nullable LocalDate day(String text, Instant now) {
    LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
    if (text.equals("today")) {
      return today;
    }
    if (text.equals("yesterday")) {
      return today.minusDays(1);
    }
    try {
      return text.length() == "2026-11-20".length() ? LocalDate.parse(text) : null;
    } catch (DateTimeException e) {
      return null;
    }
  }

  /** Returns a duration such as 15m, or null if the text is not one. */
  static @Nullable Duration duration(String text) {
    try {
      return OptionTypes.duration(text);
    } catch (TypeConversionException e) {
      return null;
    }
  }

  static String begin(LocalDate day) {
    return day.atStartOfDay(ZoneOffset.UTC).toInstant().toString();
  }

  /**
   * Returns an hour of UTC.
   *
   * @throws WrongOptionException if the text is not an hour
   */
  static Hour hour(String option, String text) {
    try {
      return Hour.parse(text);
    } catch (IllegalArgumentException e) {
      throw new WrongOptionException(
          "%s: %s, want an hour such as 2026-11-20T08, a day such as 2026-11-20, today or yesterday"
              .formatted(option, text));
    }
  }
}
