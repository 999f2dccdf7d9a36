package hourglass.load.lab;

import hourglass.bucketing.Hour;
import hourglass.command.Range;
import hourglass.load.command.LoadTask;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the traffic of the laboratory. */
final class TrafficOptions {
  @Option(
      names = "--scenario",
      paramLabel = "NAME",
      defaultValue = "hot-type",
      converter = Scenario.Converter.class,
      description = "One of ${COMPLETION-CANDIDATES}.")
  Scenario scenario;

  @Option(names = "--rate", description = "Events a second, on average.")
  @Range("0.001 to 1e7")
  private double rate = 10_000;

  @Option(names = "--seconds", description = "How long the scenario lasts.")
  @Range("1 to 86400")
  private double seconds = 30;

  @Option(
      names = "--warm-up",
      defaultValue = "5s",
      description =
          "How long each layout gets traffic like the first before measuring begins; 0s: none.")
  private Duration warmUp;

  @Option(
      names = "--hour",
      description =
          "The hour of the scenario's first event, such as 2026-11-20T08 (UTC). Default: 2026-11-20T08"
              + " on a ring, the present one in a store.")
  private @Nullable Hour hour;

  @Option(
      names = "--seed",
      description = "The same seed and settings give the same events, and the same ring.")
  long seed = 1;

  /**
   * Makes the schedule, with its warm-up.
   *
   * @param byDefault the hour of the first event, unless the options name one
   */
  Schedule schedule(Hour byDefault) {
    Hour first = hour == null ? byDefault : hour;
    return TrafficGenerator.schedule(scenario, rate, seconds, warmUpNanos(), first, seed);
  }

  private long warmUpNanos() {
    return Math.min(warmUp.toNanos(), (long) (seconds * 1e9));
  }

  JsonObject figures(LoadTask command, Schedule schedule) {
    return new JsonObject()
        .put("events", schedule.measured())
        .put("types", scenario.types())
        .put("schedule_seconds", schedule.lengthNanos() / 1e9)
        .put("warm_up_seconds", warmUpNanos() / 1e9)
        .put("first_hour", schedule.hours().first().toString())
        .mergeIn(command.figures("--seed", "--rate"));
  }
}
