package hourglass.config.terminal;

import hourglass.bucketing.Hour;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The times of events. */
final class RangeOptions {
  static final Duration SINCE = Duration.ofMinutes(15);

  @Option(names = "--hour", description = "One hour of UTC, as in 2026-11-20T08.")
  @Nullable Hour hour;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = "The first time: RFC 3339 with any offset, or an hour of UTC.")
  @Nullable String from;

  @Option(names = "--to", paramLabel = "TIME", description = "The first time that is not included.")
  @Nullable String to;

  @Option(
      names = "--since",
      description = "From so long ago until now, as in 15m, 2h or 3d. Default: 15m.")
  @Nullable Duration since;

  /** Empty, or the reason why the options do not fit together. */
  String conflict() {
    if (hour != null && (from != null || to != null || since != null)) {
      return "--hour: not with --from, --to or --since";
    }
    if (since != null && (from != null || to != null)) {
      return "--since: not with --from or --to";
    }
    return "";
  }

  /** The first time, or null: there is none, or an hour is given. */
  @Nullable String from(Instant now) {
    if (hour != null || from != null || to != null) {
      return from;
    }
    return ago(since == null ? SINCE : since, now).toString();
  }

  /** Not before 1970. */
  static Instant ago(Duration since, Instant now) {
    Duration most = Duration.between(Instant.EPOCH, now);
    return now.minus(since.compareTo(most) < 0 ? since : most);
  }

  void addTo(UrlQuery parameters, Instant now) {
    parameters.add("hour", hour).add("from", from(now)).add("to", to);
  }
}
