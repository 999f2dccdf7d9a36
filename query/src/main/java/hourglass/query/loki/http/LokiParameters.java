package hourglass.query.loki.http;

import hourglass.bucketing.Ticks;
import hourglass.query.BadParameterException;
import hourglass.query.TimeRange;
import hourglass.query.line.StreamLabels;
import hourglass.query.logql.LogQl;
import hourglass.query.logql.LogQlException;
import hourglass.query.logql.LogSelector;
import hourglass.query.logql.Quantities;
import hourglass.query.logql.Query;
import hourglass.store.Order;
import io.vertx.core.MultiMap;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a request of Loki's API. Unknown ones are ignored, as Loki does, since clients
 * send many.
 *
 * <p>Source: "Timestamps" of Loki's HTTP API, and the requests of its clients.
 */
final class LokiParameters {
  /** The largest limit, which is that of Loki. */
  static final int LIMIT_MAX = 5_000;

  private static final int LIMIT_DEFAULT = 100;
  private static final int POINTS_MAX = 11_000;
  private static final int POINTS_DEFAULT = 250;
  private static final long MILLIS_PER_HOUR = 3_600_000;
  private static final long YEAR_MILLIS = 366 * 24 * MILLIS_PER_HOUR;

  /**
   * The number of digits from which a number means nanoseconds. Seconds have ten digits from 2001
   * to 2286.
   */
  private static final int NANOS_DIGITS = 11;

  private static final int NANOS_PER_TICK = 100;
  private static final String DURATION = "a duration such as 60s, or seconds such as 60";

  private final MultiMap values;
  private final long nowTicks;

  LokiParameters(MultiMap values, Clock clock) {
    this.values = values;
    nowTicks = Ticks.of(clock.instant());
  }

  /** Returns the text of a parameter; null if it is absent or empty. */
  @Nullable String text(String name) {
    String text = values.get(name);
    return text == null || text.isEmpty() ? null : text;
  }

  private String required(String name) {
    String text = text(name);
    if (text == null) {
      throw new BadParameterException(name + ": not given");
    }
    return text;
  }

  Query query() {
    return parse(required("query"));
  }

  LogSelector selector() {
    return selector(required("query"));
  }

  /** Returns the query; all lines if there is none. */
  LogSelector selectorOrAll() {
    String query = text("query");
    return selector(query == null || query.equals("{}") ? ALL : query);
  }

  /**
   * Returns a query whose lines are all those of some types; all lines if there is none. The
   * parameters of volumes allow no other groups than types.
   */
  LogSelector selectorOfTypes() {
    LogSelector query = selectorOrAll();
    List<String> others =
        Stream.concat(
                query.matchers().stream().filter(one -> !one.name().equals(StreamLabels.SERVICE)),
                query.stages().stream())
            .map(Object::toString)
            .toList();
    if (!others.isEmpty()) {
      throw new BadParameterException(
          "query: volumes are those of whole types, so %s is not supported; want {service_name=...}"
              .formatted(String.join(" and ", others)));
    }
    checkOneOf("targetLabels", StreamLabels.SERVICE);
    checkOneOf("aggregateBy", "series");
    return query;
  }

  private void checkOneOf(String name, String known) {
    String text = text(name);
    if (text != null && !text.equals(known)) {
      throw BadParameterException.of(name, text, known);
    }
  }

  /** Returns the queries; none if all lines are wanted. */
  List<LogSelector> matches() {
    List<String> given = values.getAll("match[]");
    List<String> matches = given.isEmpty() ? values.getAll("match") : given;
    if (matches.size() > MATCHES_MAX) {
      throw new BadParameterException(
          "match[]: %d of them, at most %d".formatted(matches.size(), MATCHES_MAX));
    }
    return matches.stream()
        .filter(match -> !match.isEmpty())
        .map(LokiParameters::selector)
        .toList();
  }

  private static final String ALL = "{service_name=~\".+\"}";
  private static final int MATCHES_MAX = 8;

  static LogSelector all() {
    return LogQl.parseSelector(ALL);
  }

  private static Query parse(String text) {
    try {
      return LogQl.parse(text);
    } catch (LogQlException e) {
      throw new BadParameterException(String.valueOf(e.getMessage()));
    }
  }

  private static LogSelector selector(String text) {
    try {
      return LogQl.parseSelector(text);
    } catch (LogQlException e) {
      throw new BadParameterException(String.valueOf(e.getMessage()));
    }
  }

  Order order() {
    String direction = Objects.requireNonNullElse(text("direction"), "backward");
    return switch (direction.toLowerCase(Locale.ROOT)) {
      case "forward" -> Order.ASCENDING;
      case "backward" -> Order.DESCENDING;
      default -> throw BadParameterException.of("direction", direction, "forward or backward");
    };
  }

  /** Returns the most lines of an answer. */
  int limit() {
    return number("limit", LIMIT_DEFAULT);
  }

  int number(String name, int byDefault) {
    String text = text(name);
    if (text == null) {
      return byDefault;
    }
    try {
      int number = Integer.parseInt(text);
      if (number > 0 && number <= LIMIT_MAX) {
        return number;
      }
    } catch (NumberFormatException e) {
      // refused below, as a number out of range
    }
    throw BadParameterException.of(name, text, "a number from 1 to " + LIMIT_MAX);
  }

  /** Returns the range of time, whose end is excluded. The default is the last hour. */
  TimeRange range() {
    BigDecimal end = nanos("end");
    BigDecimal start = nanos("start");
    long to = end == null ? nowTicks : ceil(end);
    long from = start == null ? to - sinceTicks() : floor(start);
    if (from > to) {
      throw new BadParameterException(
          "start: \"%s\" is after the end; want a range [start, end)".formatted(text("start")));
    }
    return new TimeRange(clamp(from), clamp(to));
  }

  private long sinceTicks() {
    String since = text("since");
    Double nanos = since == null ? null : Quantities.nanos(since);
    if (since != null && (nanos == null || nanos < 0)) {
      throw BadParameterException.of("since", since, "a duration such as 1h");
    }
    return nanos == null
        ? MILLIS_PER_HOUR * Ticks.PER_MILLI
        : Math.min((long) (nanos / NANOS_PER_TICK), YEAR_MILLIS * Ticks.PER_MILLI);
  }

  /** Returns the start of a tail; an hour ago if it is absent. */
  long tailStart() {
    BigDecimal start = nanos("start");
    return clamp(start == null ? nowTicks - sinceTicks() : floor(start));
  }

  /** The time at which the parameters were received. */
  long nowTicks() {
    return nowTicks;
  }

  /** Returns the most lines from the start to now; 0 for none. */
  int tailLimit() {
    return "0".equals(text("limit")) ? 0 : limit();
  }

  /** Returns the single time of an instant query. */
  LokiMetrics.Times time() {
    BigDecimal time = nanos("time");
    return new LokiMetrics.Times(time == null ? nowTicks : floor(time), 1, 1, true);
  }

  /** Returns the times of a range query. */
  LokiMetrics.Times times() {
    BigDecimal end = nanos("end");
    BigDecimal start = nanos("start");
    long to = end == null ? nowTicks : floor(end);
    long from = start == null ? to - sinceTicks() : floor(start);
    if (from > to) {
      throw new BadParameterException(
          "start: \"%s\" is after the end; want a range [start, end]".formatted(text("start")));
    }
    long stepMillis = stepMillis(to - from);
    long points = (to - from) / (stepMillis * Ticks.PER_MILLI) + 1;
    if (points > POINTS_MAX) {
      throw new BadParameterException(
          "exceeded maximum resolution of %d points per time series; want a longer step"
              .formatted(POINTS_MAX));
    }
    return new LokiMetrics.Times(from, stepMillis, (int) points, false);
  }

  private long stepMillis(long rangeTicks) {
    String step = text("step");
    if (step == null) {
      return Math.max(1, rangeTicks / Ticks.PER_SECOND / POINTS_DEFAULT) * 1_000;
    }
    Double nanos = secondsOrDuration(step);
    double millis = nanos == null ? 0 : Math.rint(nanos / 1e6);
    if (millis < 1 || millis > YEAR_MILLIS) {
      throw BadParameterException.of("step", step, DURATION);
    }
    return (long) millis;
  }

  /**
   * Returns the least time between two lines of an answer; 0, the default, if each line is wanted.
   */
  long intervalTicks() {
    String interval = text("interval");
    Double nanos = interval == null ? (Double) 0.0 : secondsOrDuration(interval);
    if (nanos == null || nanos < 0) {
      throw BadParameterException.of("interval", String.valueOf(interval), DURATION);
    }
    return (long) Math.ceil(Math.min(nanos / NANOS_PER_TICK, YEAR_MILLIS * Ticks.PER_MILLI));
  }

  /** Reads seconds or a duration, in nanoseconds; null if the text is neither. */
  private static @Nullable Double secondsOrDuration(String text) {
    Double seconds = Quantities.number(text);
    return seconds == null ? Quantities.nanos(text) : (Double) (seconds * 1e9);
  }

  private @Nullable BigDecimal nanos(String name) {
    String text = text(name);
    if (text == null) {
      return null;
    }
    if (text.length() >= NANOS_DIGITS && text.chars().allMatch(Character::isDigit)) {
      return new BigDecimal(text.substring(0, Math.min(text.length(), 24)));
    }
    if (Quantities.number(text) != null) {
      return new BigDecimal(text).movePointRight(9);
    }
    try {
      Instant time = OffsetDateTime.parse(text.replace(' ', '+')).toInstant();
      return BigDecimal.valueOf(time.getEpochSecond())
          .movePointRight(9)
          .add(BigDecimal.valueOf(time.getNano()));
    } catch (DateTimeParseException e) {
      throw BadParameterException.of(
          name, text, "a time: nanoseconds or seconds since 1970, or RFC 3339");
    }
  }

  private static long floor(BigDecimal nanos) {
    BigDecimal ticks = nanos.movePointLeft(2).setScale(0, RoundingMode.FLOOR);
    return Ticks.UNIX_EPOCH + bounded(ticks);
  }

  private static long ceil(BigDecimal nanos) {
    BigDecimal ticks = nanos.movePointLeft(2).setScale(0, RoundingMode.CEILING);
    return Ticks.UNIX_EPOCH + bounded(ticks);
  }

  private static long bounded(BigDecimal ticks) {
    BigDecimal max = BigDecimal.valueOf(1L << 60);
    return ticks.min(max).max(max.negate()).longValue();
  }

  private static long clamp(long ticks) {
    TimeRange all = TimeRange.ALL;
    return Math.max(all.fromTicks(), Math.min(all.toTicks(), ticks));
  }
}
