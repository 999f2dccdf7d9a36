package hourglass.query.where;

import com.google.common.collect.ImmutableMap;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The times and durations of CEL. Invalid ones throw DateTimeException or IllegalArgumentException.
 */
final class Times {
  private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999999Z");
  private static final Duration LONGEST = Duration.ofDays(3_652_500);

  private static final ImmutableMap<String, BigDecimal> NANOS =
      ImmutableMap.<String, BigDecimal>builder()
          .put("ns", nanos(Duration.ofNanos(1)))
          .put("us", nanos(Duration.ofNanos(1_000)))
          .put("\u00b5s", nanos(Duration.ofNanos(1_000)))
          .put("\u03bcs", nanos(Duration.ofNanos(1_000)))
          .put("ms", nanos(Duration.ofMillis(1)))
          .put("s", nanos(Duration.ofSeconds(1)))
          .put("m", nanos(Duration.ofMinutes(1)))
          .put("h", nanos(Duration.ofHours(1)))
          .build();

  /**
   * A part of a duration, such as {@code 1.5h}. It is possessive, since a payload may contain the
   * text.
   */
  private static final Pattern PART =
      Pattern.compile("([0-9]++(?:\\.[0-9]++)?+)([a-z\u00b5\u03bc]++)");

  /** The most digits of a number in a duration. One with more is not in the range. */
  private static final int DIGITS_MAX = 64;

  /** The longest text of a duration. A longer one would need much time to add up. */
  private static final int LENGTH_MAX = 1_024;

  private static final ImmutableMap<String, ToLongFunction<LocalDateTime>> OF_TIMES =
      ImmutableMap.<String, ToLongFunction<LocalDateTime>>builder()
          .put("getFullYear", LocalDateTime::getYear)
          .put("getMonth", time -> time.getMonthValue() - 1)
          .put("getDayOfYear", time -> time.getDayOfYear() - 1)
          .put("getDayOfMonth", time -> time.getDayOfMonth() - 1)
          .put("getDate", LocalDateTime::getDayOfMonth)
          .put("getDayOfWeek", time -> time.getDayOfWeek().getValue() % 7)
          .put("getHours", LocalDateTime::getHour)
          .put("getMinutes", LocalDateTime::getMinute)
          .put("getSeconds", LocalDateTime::getSecond)
          .put("getMilliseconds", time -> time.get(ChronoField.MILLI_OF_SECOND))
          .build();

  private static final ImmutableMap<String, ToLongFunction<Duration>> OF_DURATIONS =
      ImmutableMap.of(
          "getHours", duration -> seconds(duration) / 3_600,
          "getMinutes", duration -> seconds(duration) / 60,
          "getSeconds", Times::seconds,
          "getMilliseconds", duration -> duration.toMillis() % 1_000);

  private Times() {}

  private static BigDecimal nanos(Duration duration) {
    return BigDecimal.valueOf(duration.toNanos());
  }

  static Map<String, ToLongFunction<LocalDateTime>> parts() {
    return OF_TIMES;
  }

  static Object part(String name, Object value) {
    if (value instanceof Instant time) {
      return part(name, time, ZoneOffset.UTC);
    }
    ToLongFunction<Duration> part = OF_DURATIONS.get(name);
    return part != null && value instanceof Duration duration
        ? part.applyAsLong(duration)
        : Special.ERROR;
  }

  static Object part(String name, Object value, Object zone) {
    return value instanceof Instant time && zone instanceof String text
        ? part(name, time, zone(text))
        : Special.ERROR;
  }

  private static Object part(String name, Instant time, ZoneId zone) {
    ToLongFunction<LocalDateTime> part = OF_TIMES.get(name);
    return part == null ? Special.ERROR : part.applyAsLong(LocalDateTime.ofInstant(time, zone));
  }

  /** Returns a time zone by its name, or by hours and minutes such as {@code -9:30}. */
  private static ZoneId zone(String text) {
    try {
      return ZoneId.of(text);
    } catch (DateTimeException e) {
      int colon = text.indexOf(':');
      if (colon < 0) {
        throw e;
      }
      int hours = Integer.parseInt(text.substring(0, colon));
      int minutes = Integer.parseInt(text.substring(colon + 1));
      return ZoneId.of(
          String.format(
              Locale.ROOT, "%s%02d:%02d", hours < 0 ? "-" : "+", Math.abs(hours), minutes));
    }
  }

  /** Returns whole seconds, rounded towards zero. */
  private static long seconds(Duration duration) {
    boolean isRounded = duration.isNegative() && duration.getNano() > 0;
    return duration.getSeconds() + (isRounded ? 1 : 0);
  }

  static Object valid(Instant time) {
    return time.isBefore(FIRST) || time.isAfter(LAST) ? Special.ERROR : time;
  }

  static Object valid(Duration duration) {
    return duration.compareTo(LONGEST) > 0 || duration.compareTo(LONGEST.negated()) < 0
        ? Special.ERROR
        : duration;
  }

  static Object timestamp(Object value) {
    if (value instanceof String text) {
      return valid(OffsetDateTime.parse(text).toInstant());
    }
    if (value instanceof Long seconds) {
      return valid(Instant.ofEpochSecond(seconds));
    }
    return value instanceof Instant ? value : Special.ERROR;
  }

  static Object duration(Object value) {
    if (value instanceof String text) {
      Duration duration = parse(text);
      return duration == null ? Special.ERROR : valid(duration);
    }
    return value instanceof Duration ? value : Special.ERROR;
  }

  /**
   * Reads a duration such as {@code -1h30m} or {@code 1.5s}. Returns null if the text is not one.
   */
  private static @Nullable Duration parse(String text) {
    if (text.length() > LENGTH_MAX) {
      return null;
    }
    boolean hasSign = text.startsWith("-") || text.startsWith("+");
    int at = hasSign ? 1 : 0;
    if (text.substring(at).equals("0")) {
      return Duration.ZERO;
    }
    BigDecimal sum = BigDecimal.ZERO;
    Matcher part = PART.matcher(text);
    while (at < text.length() && part.region(at, text.length()).lookingAt()) {
      BigDecimal nanos = NANOS.get(part.group(2));
      if (nanos == null || part.group(1).length() > DIGITS_MAX) {
        return null;
      }
      sum = sum.add(new BigDecimal(part.group(1)).multiply(nanos).setScale(0, RoundingMode.DOWN));
      at = part.end();
    }
    boolean isWhole = at == text.length() && at > (hasSign ? 1 : 0);
    return isWhole ? duration(text.startsWith("-") ? sum.negate() : sum) : null;
  }

  private static @Nullable Duration duration(BigDecimal nanos) {
    BigDecimal[] seconds = nanos.divideAndRemainder(BigDecimal.valueOf(1_000_000_000));
    boolean isTooLong = seconds[0].abs().compareTo(BigDecimal.valueOf(LONGEST.toSeconds())) > 0;
    return isTooLong
        ? null
        : Duration.ofSeconds(seconds[0].longValueExact(), seconds[1].longValueExact());
  }

  /** Returns a duration as seconds with 0, 3, 6 or 9 digits after the point. */
  static String text(Duration duration) {
    long nanos = duration.toNanos();
    String sign = nanos < 0 ? "-" : "";
    long seconds = Math.abs(nanos / 1_000_000_000);
    long fraction = Math.abs(nanos % 1_000_000_000);
    String digits =
        fraction == 0
            ? ""
            : fraction % 1_000_000 == 0
                ? String.format(Locale.ROOT, ".%03d", fraction / 1_000_000)
                : fraction % 1_000 == 0
                    ? String.format(Locale.ROOT, ".%06d", fraction / 1_000)
                    : String.format(Locale.ROOT, ".%09d", fraction);
    return sign + seconds + digits + "s";
  }
}
