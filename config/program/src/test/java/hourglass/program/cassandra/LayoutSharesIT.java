package hourglass.program.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.typesafe.config.Config;
import hourglass.testing.Tier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Layouts on three real nodes with every row on one of them, beside a simulation of them. */
@Order(7)
@ResourceLock(ThreeNodes.LOCK)
@Tag(Tier.IN_FULL)
class LayoutSharesIT {
  private static final double SHARE_MAX_OFF = 0.02;

  @TempDir Path folder;

  /** One hot type by each layout; and the same simulated, which must give the same shares. */
  @Test
  void simulatedSharesMatchMeasuredOnes() throws Exception {
    List<String> store = new ArrayList<>();
    String[] settings =
        CassandraRun.settings(
            ThreeNodes.cluster(),
            "store.cassandra.replication=1",
            "store.cassandra.keyspace=layout_shares");
    for (String setting : settings) {
      store.add("--set=" + setting);
    }
    List<String> ring = List.of("--ring=3", "--tokens=even");
    // Both wait for most of their time.
    FutureTask<LayoutComparison> simulation =
        new FutureTask<>(() -> LayoutComparison.run(folder, "simulated.json", ring));
    new Thread(simulation, "simulated layouts").start();
    LayoutComparison measured = LayoutComparison.run(folder, "measured.json", store);
    LayoutComparison simulated = simulation.get();
    for (String name : LayoutComparison.LAYOUTS) {
      assertThat(measured.shares(name)).as(name).hasSize(3);
      for (int node = 0; node < 3; node++) {
        assertThat(measured.shares(name).get(node))
            .as("%s, node %d", name, node + 1)
            .isCloseTo(simulated.shares(name).get(node), within(SHARE_MAX_OFF));
      }
      Config layout = measured.of(name);
      assertThat(layout.getLong("events")).isEqualTo(6_000);
      assertThat(layout.getLong("events_failed")).isZero();
      assertThat(layout.getDouble("latency_ms.p99")).isPositive();
    }
    for (String name : List.of("hour", "type")) {
      assertThat(measured.of(name).getDouble("node_max_over_mean")).isEqualTo(3);
      assertThat(measured.of(name).getDouble("node_batches_max_over_mean"))
          .as("%s, as the nodes count", name)
          .isEqualTo(3);
    }
    Config adaptive = measured.of("adaptive");
    assertThat(adaptive.getDouble("node_max_over_mean")).isLessThanOrEqualTo(1.2);
    assertThat(adaptive.getDouble("node_max_over_mean_worst_second")).isLessThanOrEqualTo(1.2);
    assertThat(adaptive.getLong("row_columns_max")).isLessThanOrEqualTo(1_100);
  }
}
