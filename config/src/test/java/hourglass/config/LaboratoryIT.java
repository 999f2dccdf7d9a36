package hourglass.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigUtil;
import hourglass.store.sandbox.CassandraCluster;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One hot type on three real nodes without copies, by each layout; and the same simulated, which
 * must give the same shares.
 */
class LaboratoryIT {
  private static final List<String> LAYOUTS = List.of("hour", "type", "sharded:8", "adaptive");
  private static final double SHARE_MAX_OFF = 0.02;

  @TempDir Path folder;

  @Test
  void whatIsSimulatedIsWhatHappens() throws Exception {
    Config measured;
    try (CassandraCluster cluster =
        CassandraCluster.start(CassandraCluster.options(folder.resolve("nodes")).nodes(3))) {
      List<String> store = new ArrayList<>();
      for (String setting :
          CassandraRun.settings(
              cluster, "store.cassandra.replication=1", "store.cassandra.trust-for=50ms")) {
        store.add("--set=" + setting);
      }
      measured = compare("measured.json", store);
    }
    Config simulated = compare("simulated.json", List.of("--ring=3", "--tokens=even"));
    for (String name : LAYOUTS) {
      Config layout = layout(measured, name);
      assertThat(shares(layout)).as(name).hasSize(3);
      for (int node = 0; node < 3; node++) {
        assertThat(shares(layout).get(node))
            .as("%s, node %d", name, node + 1)
            .isCloseTo(shares(layout(simulated, name)).get(node), within(SHARE_MAX_OFF));
      }
      assertThat(layout.getLong("events")).isEqualTo(6_000);
      assertThat(layout.getLong("events_failed")).isZero();
      assertThat(layout.getDouble("latency_ms.p99")).isPositive();
    }
    for (String name : List.of("hour", "type")) {
      assertThat(layout(measured, name).getDouble("node_max_over_mean")).isEqualTo(3);
      assertThat(layout(measured, name).getDouble("node_batches_max_over_mean"))
          .as("%s, as the nodes count", name)
          .isEqualTo(3);
    }
    Config adaptive = layout(measured, "adaptive");
    assertThat(adaptive.getDouble("node_max_over_mean")).isLessThanOrEqualTo(1.2);
    assertThat(adaptive.getDouble("node_max_over_mean_worst_second")).isLessThanOrEqualTo(1.2);
    assertThat(adaptive.getLong("row_columns_max")).isLessThanOrEqualTo(1_100);
  }

  private static Config layout(Config layouts, String name) {
    return layouts.getConfig(ConfigUtil.joinPath(name));
  }

  /** By node, in the order of their names. */
  private static List<Double> shares(Config layout) {
    Config nodes = layout.getConfig("nodes");
    return nodes.root().keySet().stream()
        .sorted()
        .map(node -> nodes.getDouble(ConfigUtil.joinPath(node, "share")))
        .toList();
  }

  private Config compare(String json, List<String> where) throws Exception {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "load",
                "compare",
                "--scenario=hot-type",
                "--hour=2026-11-20T08",
                "--layouts=" + String.join(",", LAYOUTS),
                "--rate=400",
                "--seconds=15",
                "--target-columns=1000",
                "--json=" + json));
    arguments.addAll(where);
    Program.Result result = Program.run(folder, arguments.toArray(String[]::new));
    System.out.println(result.out());
    assertThat(result.exit()).as(result.err()).isZero();
    return ConfigFactory.parseFile(folder.resolve(json).toFile()).getConfig("layouts");
  }
}
