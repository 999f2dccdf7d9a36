package hourglass.config.terminal;

import hourglass.bucketing.Hour;
import hourglass.command.FigureText;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The length of a time step. A range that is divided into steps needs both ends. */
final class StepOptions {
  /** The most steps by default, so that the bars of a range fit on a screen. */
  private static final int STEPS_MAX = 60;

  private static final List<Duration> ROUND =
      List.of(
          Duration.ofMinutes(1),
          Duration.ofMinutes(5),
          Duration.ofMinutes(15),
          Duration.ofHours(1),
          Duration.ofHours(6),
          Duration.ofDays(1));

  @Option(names = "--step", description = "The length of a step, as in 1m.")
  @Nullable Duration step;

  /** Adds the range and its step. A range until now ends with the step that contains now. */
  void addTo(UrlQuery parameters, RangeOptions range, Instant now) {
    RangeOptions.Bounds bounds = range.bounds(now);
    if (bounds.hour() != null) {
      bounds.addTo(parameters);
      parameters.add("step", FigureText.duration(chosen(Duration.ofHours(1))));
      return;
    }
    String from = bounds.from();
    Instant begin = instant(from);
    Instant end = bounds.to() == null ? now : instant(bounds.to());
    boolean isClear = begin != null && end != null && begin.isBefore(end);
    Duration chosen = chosen(isClear ? Duration.between(begin, end) : Duration.ZERO);
    if (!range.hasExactStart() && begin != null) {
      from = floor(begin, chosen).toString();
    }
    String to = bounds.to() == null ? floor(now, chosen).plus(chosen).toString() : bounds.to();
    parameters.add("from", from).add("to", to).add("step", FigureText.duration(chosen));
  }

  private Duration chosen(Duration range) {
    if (step != null) {
      return step;
    }
    return ROUND.stream()
        .filter(each -> each.multipliedBy(STEPS_MAX).compareTo(range) >= 0)
        .findFirst()
        .orElse(Duration.ofDays(1));
  }

  private static Instant floor(Instant instant, Duration step) {
    long millis = instant.toEpochMilli();
    return Instant.ofEpochMilli(millis - Math.floorMod(millis, Math.max(1, step.toMillis())));
  }

  /** Returns the instant, or null if there is none or only the server can refuse it. */
  private static @Nullable Instant instant(@Nullable String time) {
    if (time == null) {
      return null;
    }
    try {
      boolean isHour = time.length() == "2026-11-20T08".length();
      return isHour ? Hour.parse(time).start() : OffsetDateTime.parse(time).toInstant();
    } catch (DateTimeException | IllegalArgumentException e) {
      return null;
    }
  }
}
