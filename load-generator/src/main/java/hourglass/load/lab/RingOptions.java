package hourglass.load.lab;

import hourglass.load.command.LoadTask;
import hourglass.load.lab.ring.Ring;
import hourglass.load.lab.ring.TokenAllocation;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The simulated ring. */
final class RingOptions {
  private static final int NODES_MAX = 1_000;
  private static final int VNODES_MAX = 256;

  @Option(
      names = "--ring",
      paramLabel = "NODES",
      description = "Simulates a Cassandra ring of this many nodes instead of a store.")
  @Nullable Integer nodes;

  @Option(
      names = "--vnodes",
      paramLabel = "N",
      description = "Tokens of each simulated node: num_tokens.")
  private int vnodes = 16;

  @Option(
      names = "--replication",
      paramLabel = "N",
      description = "Copies of a row on the simulated ring.")
  private int replication = 1;

  @Option(
      names = "--tokens",
      paramLabel = "HOW",
      defaultValue = "allocated",
      converter = TokensConverter.class,
      description =
          "How simulated nodes got their tokens: allocated, as Cassandra does it for a growing ring; even,"
              + " in turn, as the sandbox has them; random, as in older clusters.")
  private TokenAllocation tokens;

  @Option(
      names = "--node-rate",
      paramLabel = "N",
      description =
          "Writes a second that each simulated node can do, one after the other, for latencies of that"
              + " model; 0: nothing is timed.")
  double nodeRate = 0;

  void check(LoadTask command) {
    if (nodes == null) {
      return;
    }
    command.requireRange("--ring", nodes, 1, NODES_MAX);
    command.requireRange("--vnodes", vnodes, 1, VNODES_MAX);
    command.requireRange("--replication", replication, 1, nodes);
    command.require(
        nodeRate >= 0 && nodeRate <= 1e9, "--node-rate", nodeRate, "0, or writes a second");
  }

  /**
   * @param count of nodes
   */
  NodePlacement ring(int count, long seed) {
    return new RingNodes(new Ring(tokens.tokens(count, vnodes, seed), replication));
  }

  Map<String, @Nullable Object> figures() {
    Map<String, @Nullable Object> figures = new LinkedHashMap<>();
    figures.put("ring_nodes", nodes);
    figures.put("vnodes", vnodes);
    figures.put("replication", replication);
    figures.put("tokens", TokensConverter.label(tokens));
    figures.put("node_rate", nodeRate);
    return figures;
  }
}
