package hourglass.load.lab;

import hourglass.load.command.Durations;
import hourglass.load.command.LoadTask;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which store to write to, and how. */
final class StoreChoice {
  private static final int IN_FLIGHT_MAX = 100_000;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "Settings of the store, as of serve (default: hourglass.conf in the working directory, if there).")
  @Nullable Path config;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description =
          "One setting of the store, as of serve: store.engine=cassandra. May be repeated.")
  List<String> assignments = new ArrayList<>();

  @Option(
      names = "--in-flight",
      paramLabel = "N",
      description =
          "Batches on their way to the store at a time; more wait, and that counts as latency.")
  int inFlight = 256;

  @Option(
      names = "--give-up-after",
      paramLabel = "DURATION",
      defaultValue = "60s",
      converter = Durations.class,
      description = "A batch that the store does not take for so long has failed.")
  Duration giveUpAfter;

  void check(LoadTask command, boolean onRing) {
    boolean isNamed = config != null || !assignments.isEmpty();
    if (onRing == isNamed) {
      throw command.wrongUsage(
          "want one of --ring NODES, and a store by --set or --config, such as --set"
              + " store.engine=cassandra");
    }
    command.requireRange("--in-flight", inFlight, 1, IN_FLIGHT_MAX);
  }

  Map<String, @Nullable Object> figures() {
    Map<String, @Nullable Object> figures = new LinkedHashMap<>();
    figures.put("in_flight", inFlight);
    figures.put("give_up_after_seconds", giveUpAfter.toMillis() / 1e3);
    return figures;
  }
}
