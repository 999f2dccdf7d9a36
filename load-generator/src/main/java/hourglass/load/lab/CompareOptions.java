package hourglass.load.lab;

import hourglass.load.command.LoadTask;
import hourglass.load.command.Range;
import hourglass.load.lab.traffic.Schedule;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

final class CompareOptions {
  @Option(
      names = "--layouts",
      paramLabel = "LAYOUT",
      split = ",",
      defaultValue = "hour,type,sharded:8,adaptive",
      description = "Layouts to compare, separated by commas: " + Layout.FORMS + ".")
  List<String> layouts;

  @Option(
      names = "--batch-window",
      defaultValue = "10ms",
      description = "Events due within this time are written together.")
  Duration batchWindow;

  @Mixin RowOptions rows;

  @Option(
      names = "--writers",
      description =
          "Ingest processes that the adaptive layout plans for; batches go to one after the other.")
  @Range("1 to 256")
  int writers = 1;

  @Option(
      names = "--node-rate",
      description =
          "Writes a second that each simulated node can do, one after the other, for latencies of that"
              + " model; 0: nothing is timed.")
  @Range("0 to 1e9")
  double nodeRate = 0;

  @Option(
      names = "--config",
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
      description =
          "Batches on their way to the store at a time; more wait, and that counts as latency.")
  @Range("1 to 100000")
  int inFlight = 256;

  @Option(
      names = "--give-up-after",
      defaultValue = "60s",
      description = "A batch that the store does not take for so long has failed.")
  Duration giveUpAfter;

  void check(LoadTask command) {
    boolean isStoreNamed = config != null || !assignments.isEmpty();
    if ((rows.ring != null) == isStoreNamed) {
      throw command.wrongUsage(
          "want one of --ring NODES, and a store by --set or --config, such as --set"
              + " store.engine=cassandra");
    }
    rows.check(command);
    for (String layout : layouts) {
      command.require(Layout.isOne(layout), "--layouts", layout, Layout.FORMS);
      boolean once = layouts.indexOf(layout) == layouts.lastIndexOf(layout);
      command.require(once, "--layouts", layout, "each once");
    }
  }

  Layout layout(String name, Schedule schedule, NodePlacement nodes, long seed) {
    return name.equals("adaptive")
        ? new AdaptiveLayout(schedule, nodes, rows.planner(), writers, seed)
        : Layout.of(name);
  }
}
