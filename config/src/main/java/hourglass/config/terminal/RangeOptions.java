package hourglass.config.terminal;

import hourglass.bucketing.Hour;
import hourglass.command.WrongOptionException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for a range of times of events. */
final class RangeOptions {
  private static final String SINCE = "15m";

  @Option(
      names = "--hour",
      paramLabel = "HOUR|DAY",
      description =
          "One hour of UTC, as in 2026-11-20T08, or a whole day, as in 2026-11-20, today or yesterday.")
  private @Nullable String hour;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description =
          "The first time: RFC 3339 with any offset (without one: UTC), an hour, or a day from its"
              + " begin; now, today, yesterday.")
  private @Nullable String from;

  @Option(
      names = "--to",
      paramLabel = "TIME",
      description = "The first time that is not included, in the same forms.")
  private @Nullable String to;

  @Option(
      names = "--since",
      paramLabel = "AGO|TIME",
      description =
          "From so long ago until now, as in 15m, 2h or 3d, or from a time as of --from. Default: 15m.")
  private @Nullable String since;

  /**
   * A range in the form that the server accepts. A null bound is absent.
   *
   * @param hour if it is given, both bounds are null
   */
  record Bounds(@Nullable Hour hour, @Nullable String from, @Nullable String to) {
    void addTo(UrlQuery parameters) {
      parameters.add("hour", hour).add("from", from).add("to", to);
    }
  }

  /** Returns whether any of the options is given. */
  boolean isGiven() {
    return hour != null || from != null || to != null || since != null;
  }

  /** Returns whether the range has an end other than now. */
  boolean hasEnd() {
    return hour != null || to != null;
  }

  /** Returns whether the first time was typed, so that it must stay as it is. */
  boolean hasExactStart() {
    return from != null;
  }

  /**
   * Returns the range that the options specify.
   *
   * @throws WrongOptionException if they do not fit together, or one is not a time
   */
  Bounds bounds(Instant now) {
    if (hour != null && (from != null || to != null || since != null)) {
      throw new WrongOptionException("--hour: not with --from, --to or --since");
    }
    if (since != null && (from != null || to != null)) {
      throw new WrongOptionException("--since: not with --from or --to");
    }
    if (hour != null) {
      LocalDate day = TypedTime.day(hour, now);
      return day == null
          ? new Bounds(TypedTime.hour("--hour", hour), null, null)
          : new Bounds(null, TypedTime.begin(day), TypedTime.begin(day.plusDays(1)));
    }
    if (from == null && to == null) {
      return new Bounds(null, since(since == null ? SINCE : since, now), null);
    }
    if (to != null && to.equals(from) && TypedTime.day(to, now) != null) {
      throw new WrongOptionException(
          "--to: %s is not included, so nothing is left; --hour %s is the whole day"
              .formatted(to, to));
    }
    return new Bounds(
        null,
        from == null ? null : TypedTime.time("--from", from, now),
        to == null ? null : TypedTime.time("--to", to, now));
  }

  /**
   * Returns the time that {@code --since} specifies, not before 1970.
   *
   * @param text a duration before now, or a time
   * @throws WrongOptionException if it is neither
   */
  static String since(String text, Instant now) {
    Duration ago = TypedTime.duration(text);
    if (ago == null) {
      return TypedTime.time("--since", text, now);
    }
    Duration most = Duration.between(Instant.EPOCH, now);
    return now.minus(ago.compareTo(most) < 0 ? ago : most).toString();
  }
}
