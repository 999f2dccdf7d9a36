package hourglass.load.canary;

import hourglass.command.FigureText;
import hourglass.command.Range;
import hourglass.load.command.LoadLimits;
import hourglass.load.command.LoadTask;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

final class CanaryOptions {
  @Option(
      names = "--type",
      paramLabel = "TYPE",
      description = "The type of its events; no other events may have it.")
  String type = "canary";

  @Option(
      names = "--rate",
      description = "Events per second, on a fixed schedule, each in a request of its own.")
  double rate = 1;

  @Option(names = "--for", description = "How long: 90s, 1h, 7d. Default: until it is stopped.")
  @Range("1ms to 3650d")
  @Nullable Duration length;

  @Option(names = "--events", description = "How many, at most. Default: no limit.")
  @Range("1 or more")
  @Nullable Long events;

  @Option(names = "--connections", description = "Most events in flight at once.")
  @Range("1 to " + LoadLimits.CONNECTIONS_MAX)
  int connections = 4;

  @Option(
      names = "--give-up-after",
      defaultValue = "3m",
      description =
          "How long one event is retried; longer than --timeout, so that a timeout is retried too."
              + " Later the event counts as unacknowledged, and a turn that late is skipped. The"
              + " end waits for the last answers, then this long plus --settle for checks.")
  @Range("1s to 1d")
  Duration giveUpAfter;

  @Option(
      names = "--look-every",
      defaultValue = "100ms",
      description =
          "How often to look for acknowledged events that no answer has shown yet; visibility is"
              + " measured to that.")
  @Range("1ms to 1d")
  Duration lookEvery;

  @Option(
      names = "--window",
      defaultValue = "1m",
      description = "Length of a window, whose events are checked together by one query.")
  @Range("1ms to 1d")
  Duration window;

  @Option(
      names = "--settle",
      defaultValue = "10s",
      description =
          "How long after its last acknowledgement a window is checked. An event missing by then is"
              + " lost.")
  @Range("0s to 1d")
  Duration settle;

  void check(LoadTask command) {
    command.require(
        type.matches(CanaryEvents.TYPE_FORM),
        "--type",
        type,
        "1 to 100 letters, digits, dots, dashes or underscores");
    command.require(
        rate > 0 && rate <= LoadLimits.CANARY_RATE_MAX,
        "--rate",
        rate,
        "more than 0, at most " + (int) LoadLimits.CANARY_RATE_MAX);
    command.require(
        window.toMillis() / 1e3 * rate <= LoadLimits.CANARY_WINDOW_EVENTS_MAX,
        "--window",
        window.toSeconds() + "s",
        FigureText.format("at most %,d events", LoadLimits.CANARY_WINDOW_EVENTS_MAX));
  }
}
