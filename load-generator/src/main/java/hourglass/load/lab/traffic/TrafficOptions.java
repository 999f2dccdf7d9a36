package hourglass.load.lab.traffic;

import hourglass.bucketing.Hour;
import hourglass.command.ProgressLine;
import hourglass.load.command.LoadTask;
import hourglass.load.command.Range;
import hourglass.load.event.MappingOptions;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options for the traffic of the laboratory. */
public final class TrafficOptions {
  static final class Labels implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return BuiltInPlan.labels().iterator();
    }
  }

  @Option(
      names = "--scenario",
      paramLabel = "NAME|FILE",
      completionCandidates = Labels.class,
      description = "One of ${COMPLETION-CANDIDATES}; or a file with one of your own, in JSON.")
  private String scenario = "hot-type";

  @Option(
      names = "--traffic",
      description =
          "In place of a scenario: recorded events, one JSON object a line, plain or gzip. Each is due as"
              + " long after the first as its time says.")
  private @Nullable Path recording;

  @Mixin private MappingOptions fields;

  @Option(
      names = "--rate",
      description =
          "Events a second, on average (default: 10,000 for a scenario that has a name, and the pace of"
              + " the recording).")
  @Range("0.001 to 1e7")
  private @Nullable Double rate;

  @Option(
      names = "--seconds",
      description = "How long a scenario that has a name lasts (default: 30).")
  @Range("1 to 86400")
  private @Nullable Double seconds;

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
  public long seed = 1;

  public void check(LoadTask command) {
    if (recording != null) {
      command.require(isFile(recording), "--traffic", recording, "a readable file");
      command.require(
          seconds == null && hour == null, "--traffic", recording, "no --seconds or --hour");
    } else if (BuiltInPlan.of(scenario) == null) {
      command.require(
          isFile(Path.of(scenario)),
          "--scenario",
          scenario,
          "a readable file, or one of " + String.join(", ", BuiltInPlan.labels()));
      command.require(
          rate == null && seconds == null,
          "--scenario",
          scenario,
          "no --rate or --seconds: it has its own");
    }
  }

  private static boolean isFile(Path file) {
    return Files.isReadable(file) && !Files.isDirectory(file);
  }

  /** Returns the name of the scenario, or the name of the file without its folder. */
  public String name() {
    return String.valueOf((recording == null ? Path.of(scenario) : recording).getFileName());
  }

  /**
   * Makes the schedule, with its warm-up.
   *
   * @param byDefault the hour of the first event, unless the options name one
   */
  public Schedule schedule(Hour byDefault, ProgressLine progress) throws IOException {
    if (recording != null) {
      RecordedTraffic.Recording read =
          RecordedTraffic.read(recording, fields.mapping(), rate == null ? 0 : rate);
      if (read.skipped() > 0) {
        progress.say(
            "%,d lines left out: no event with a type and a time".formatted(read.skipped()));
      }
      return warmedUp(read.schedule());
    }
    BuiltInPlan builtIn = BuiltInPlan.of(scenario);
    TrafficPlan plan =
        builtIn == null
            ? PlanFile.read(Path.of(scenario))
            : builtIn.plan(rate == null ? 10_000 : rate, seconds == null ? 30 : seconds);
    return warmedUp(plan.schedule(hour == null ? byDefault : hour, seed));
  }

  private Schedule warmedUp(Schedule schedule) {
    return schedule.warmedUp(Math.min(warmUp.toNanos(), schedule.lengthNanos()));
  }

  public JsonObject figures(LoadTask command, Schedule schedule) {
    JsonObject figures =
        new JsonObject()
            .put("events", schedule.measured())
            .put("types", schedule.types().size())
            .put("schedule_seconds", schedule.lengthNanos() / 1e9)
            .put("warm_up_seconds", Math.min(warmUp.toNanos(), schedule.lengthNanos()) / 1e9)
            .put("first_hour", schedule.hours().first().toString())
            .mergeIn(command.figures("--seed", "--rate"));
    return recording == null ? figures : figures.mergeIn(fields.figures(command));
  }
}
