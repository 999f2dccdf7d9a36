package hourglass.program.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.typesafe.config.Config;
import hourglass.program.RandomRun;
import hourglass.program.ServerProcess;
import hourglass.store.sandbox.CassandraCluster;
import hourglass.store.sandbox.CassandraNode;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Three real nodes, with every row on one of them. */
@TestInstance(Lifecycle.PER_CLASS)
@Order(2)
@ResourceLock(ThreeNodes.LOCK)
@Isolated("a slow machine seems like a missing node")
class WithoutCopiesIT {
  static final String KEYSPACE = "without_copies";

  private static final double SHARE_MAX_OFF = 0.02;

  @TempDir static Path folder;
  private final Random random = RandomRun.random(this);
  private final CassandraCluster cluster = ThreeNodes.cluster();

  /** One hot type by each layout; and the same simulated, which must give the same shares. */
  @Test
  void simulatedSharesMatchMeasuredOnes() throws Exception {
    List<String> store = new ArrayList<>();
    for (String setting : settings("store.cassandra.trust-for=50ms")) {
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

  private String[] settings(String... more) {
    List<String> settings =
        new ArrayList<>(
            List.of("store.cassandra.replication=1", "store.cassandra.keyspace=" + KEYSPACE));
    Collections.addAll(settings, more);
    return CassandraRun.settings(cluster, settings.toArray(String[]::new));
  }

  /**
   * A node freezes and thaws, then another run of it ends and begins: without its rows there is no
   * answer but those that say what they lack, and afterwards everything is there as before.
   */
  @Test
  void missingNodeLeavesNoTornAnswerComplete() throws Exception {
    String[] settings = settings(ScatteredEvents.SETTING, "query.row-cache=0");
    try (ServerProcess server = ServerProcess.start(folder, settings)) {
      server.awaitReady();
      ScatteredEvents events = ScatteredEvents.choose(cluster, random);
      System.out.println("without node " + events.away().node() + ": " + events.missing());
      push(server, String.join("\n", events.payloads()), events.payloads().size());
      push(server, events.unknownPayload(), 1);
      CassandraNode node = cluster.node(events.away().node());
      AnswersWithoutNode answers =
          new AnswersWithoutNode(server, events, CassandraRun.name(node.address()));

      node.freeze();
      answers.checkFew();
      node.thaw();
      await().untilAsserted(answers::areWholeAgain);

      // A node that does not end in time is killed, and loses columns that are not flushed.
      cluster.nodetool(events.away().node(), "flush");
      node.stop();
      answers.checkAll();
      node.restart();
      await().untilAsserted(answers::areWholeAgain);
      assertThat(server.log()).doesNotContain(" ERROR ");
    }
  }

  private static void push(ServerProcess server, String lines, int count) throws Exception {
    HttpResponse<String> pushed = server.post("/api/v1/events", "application/x-ndjson", lines);
    assertThat(pushed.body()).startsWith("{\"accepted\":" + count + ",\"rejected\":0,");
  }
}
