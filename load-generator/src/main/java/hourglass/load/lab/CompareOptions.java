package hourglass.load.lab;

import hourglass.bucketing.shards.PlannerOptions;
import hourglass.load.command.LoadTask;
import hourglass.load.command.Range;
import hourglass.load.lab.ring.Ring;
import hourglass.load.lab.ring.TokenAllocation;
import hourglass.load.lab.traffic.Schedule;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
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

  @Option(
      names = "--target-columns",
      description = "Columns that a row of the adaptive layout aims at.")
  @Range(PlannerOptions.TARGET_COLUMNS_MIN + " to " + PlannerOptions.TARGET_COLUMNS_MAX)
  long targetColumns = 100000;

  @Option(
      names = "--target-bytes",
      description = "Payload bytes that such a row aims at; whichever comes first.")
  @Range(PlannerOptions.TARGET_BYTES_MIN + " to " + PlannerOptions.TARGET_BYTES_MAX)
  long targetBytes = 10485760;

  @Option(
      names = "--writers",
      description =
          "Ingest processes that the adaptive layout plans for; batches go to one after the other.")
  @Range("1 to 256")
  int writers = 1;

  @Option(
      names = "--ring",
      paramLabel = "NODES",
      description = "Simulates a Cassandra ring of this many nodes instead of a store.")
  @Range("1 to 1000")
  @Nullable Integer ring;

  @Option(names = "--vnodes", description = "Tokens of each simulated node: num_tokens.")
  @Range("1 to 256")
  private int vnodes = 16;

  @Option(names = "--replication", description = "Copies of a row on the simulated ring.")
  private int replication = 1;

  @Option(
      names = "--tokens",
      paramLabel = "HOW",
      defaultValue = "allocated",
      description =
          "How simulated nodes got their tokens: allocated, as Cassandra does it for a growing ring; even,"
              + " in turn, as the sandbox has them; random, as in older clusters.")
  private TokenAllocation tokens;

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
    if ((ring != null) == isStoreNamed) {
      throw command.wrongUsage(
          "want one of --ring NODES, and a store by --set or --config, such as --set"
              + " store.engine=cassandra");
    }
    if (ring != null) {
      boolean right = replication >= 1 && replication <= ring;
      command.require(right, "--replication", replication, "1 to " + ring);
    }
    for (String layout : layouts) {
      command.require(Layout.isOne(layout), "--layouts", layout, Layout.FORMS);
      boolean once = layouts.indexOf(layout) == layouts.lastIndexOf(layout);
      command.require(once, "--layouts", layout, "each once");
    }
  }

  Layout layout(String name, Schedule schedule, NodePlacement nodes, long seed) {
    PlannerOptions options = new PlannerOptions(targetColumns, targetBytes, 0);
    return name.equals("adaptive")
        ? new AdaptiveLayout(schedule, nodes, options, writers, seed)
        : Layout.of(name);
  }

  NodePlacement ringNodes(int count, long seed) {
    return NodePlacement.of(new Ring(tokens.nodesByToken(count, vnodes, seed), replication));
  }
}
