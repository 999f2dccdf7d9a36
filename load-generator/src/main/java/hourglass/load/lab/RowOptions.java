package hourglass.load.lab;

import hourglass.bucketing.shards.PlannerOptions;
import hourglass.bucketing.simulation.Ring;
import hourglass.bucketing.simulation.TokenAllocation;
import hourglass.command.Range;
import hourglass.load.command.LoadTask;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the width of planned rows, and for the simulated ring that stores them. */
final class RowOptions {
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
      names = "--spread",
      description =
          "Rows of a busy type that a writer fills side by side; 0: as many as there are nodes.")
  @Range("0 to " + PlannerOptions.SPREAD_MAX)
  private int spread = 0;

  @Option(
      names = "--ring",
      paramLabel = "NODES",
      description = "Simulates a Cassandra ring of this many nodes.")
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
      description =
          "How simulated nodes got their tokens: allocated, as Cassandra does it for a growing ring; even,"
              + " in turn, as the sandbox has them; random, as in older clusters.")
  private TokenAllocation tokens = TokenAllocation.allocated;

  void check(LoadTask command) {
    if (ring != null) {
      boolean right = replication >= 1 && replication <= ring;
      command.require(right, "--replication", replication, "1 to " + ring);
    }
  }

  PlannerOptions planner() {
    return new PlannerOptions(targetColumns, targetBytes, spread);
  }

  Ring ring(int nodes, long seed) {
    return new Ring(tokens.nodesByToken(nodes, vnodes, seed), replication);
  }
}
