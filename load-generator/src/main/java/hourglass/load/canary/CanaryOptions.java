package hourglass.load.canary;

import hourglass.load.command.Durations;
import hourglass.load.command.JsonReport;
import hourglass.load.command.Limits;
import hourglass.load.command.LoadTask;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a canary: its events, and its looks and checks. */
final class CanaryOptions {
  @Option(
      names = "--type",
      paramLabel = "TYPE",
      defaultValue = "canary",
      description = "The type of its events; no other events may have it.")
  String type;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "Events per second, on a fixed schedule, each in a request of its own.")
  private double rate = 1;

  @Option(
      names = "--for",
      paramLabel = "DURATION",
      converter = Durations.class,
      description = "How long: 90s, 1h, 7d. Default: until it is stopped.")
  private @Nullable Duration length;

  @Option(
      names = "--events",
      paramLabel = "N",
      description = "How many, at most. Default: no limit.")
  private @Nullable Long events;

  @Option(names = "--connections", paramLabel = "N", description = "Most events in flight at once.")
  private int connections = 4;

  @Option(
      names = "--give-up-after",
      paramLabel = "DURATION",
      defaultValue = "3m",
      converter = Durations.class,
      description =
          "How long one event is retried; longer than --timeout, so that a timeout is retried too. Later"
              + " the event counts as unacknowledged, and a turn that late is skipped. The end waits for"
              + " the last answers, then this long plus --settle for checks.")
  private Duration giveUpAfter;

  @Option(
      names = "--look-every",
      paramLabel = "DURATION",
      defaultValue = "100ms",
      converter = Durations.class,
      description =
          "How often to look for acknowledged events that no answer has shown yet; visibility is"
              + " measured to that.")
  private Duration lookEvery;

  @Option(
      names = "--window",
      paramLabel = "DURATION",
      defaultValue = "1m",
      converter = Durations.class,
      description = "Length of a window, whose events are checked together by one query.")
  private Duration window;

  @Option(
      names = "--settle",
      paramLabel = "DURATION",
      defaultValue = "10s",
      converter = Durations.class,
      description =
          "How long after its last acknowledgement a window is checked. An event missing by then is"
              + " lost.")
  private Duration settle;

  void check(LoadTask command) {
    command.require(
        type.matches(CanaryEvents.TYPE_FORM),
        "--type",
        type,
        "1 to 100 letters, digits, dots, dashes or underscores");
    command.require(
        rate > 0 && rate <= Limits.CANARY_RATE_MAX,
        "--rate",
        JsonReport.number(rate),
        "more than 0, at most " + (int) Limits.CANARY_RATE_MAX);
    checkDurations(command);
    command.require(events == null || events > 0, "--events", events, "at least 1");
    command.requireRange("--connections", connections, 1, Limits.CONNECTIONS_MAX);
    command.require(
        window.toMillis() / 1e3 * rate <= Limits.CANARY_WINDOW_EVENTS_MAX,
        "--window",
        window.toSeconds() + "s",
        "at most %,d events".formatted(Limits.CANARY_WINDOW_EVENTS_MAX));
  }

  private void checkDurations(LoadTask command) {
    Duration shortest = Duration.ofMillis(1);
    Duration day = Limits.CANARY_WAIT_MAX;
    if (length != null) {
      require(command, "--for", length, shortest, Limits.CANARY_LENGTH_MAX);
    }
    require(command, "--give-up-after", giveUpAfter, Duration.ofSeconds(1), day);
    require(command, "--look-every", lookEvery, shortest, day);
    require(command, "--window", window, shortest, day);
    require(command, "--settle", settle, Duration.ZERO, day);
  }

  private static void require(
      LoadTask command, String option, Duration value, Duration min, Duration max) {
    command.require(
        value.compareTo(min) >= 0 && value.compareTo(max) <= 0,
        option,
        text(value),
        "%s to %s".formatted(text(min), text(max)));
  }

  /** In the unit that fits, as it is written on the command line. */
  private static String text(Duration value) {
    if (value.toDays() > 0) {
      return value.toDays() + "d";
    }
    return value.toMillis() % 1_000 == 0 ? value.toSeconds() + "s" : value.toMillis() + "ms";
  }

  CanarySettings settings() {
    return new CanarySettings(
        rate,
        events == null ? Long.MAX_VALUE : events,
        length == null ? Long.MAX_VALUE : length.toNanos(),
        connections,
        window,
        settle,
        lookEvery,
        giveUpAfter);
  }

  Map<String, @Nullable Object> figures() {
    Map<String, @Nullable Object> figures = new LinkedHashMap<>();
    figures.put("type", type);
    figures.put("rate", rate);
    figures.put("for_seconds", length == null ? null : length.toMillis() / 1e3);
    figures.put("events", events);
    figures.put("connections", connections);
    figures.put("give_up_after_seconds", giveUpAfter.toMillis() / 1e3);
    figures.put("look_every_seconds", lookEvery.toMillis() / 1e3);
    figures.put("window_seconds", window.toMillis() / 1e3);
    figures.put("settle_seconds", settle.toMillis() / 1e3);
    return figures;
  }
}
