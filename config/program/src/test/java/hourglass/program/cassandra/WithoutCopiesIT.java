package hourglass.program.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.program.ServerProcess;
import hourglass.store.sandbox.CassandraCluster;
import hourglass.store.sandbox.CassandraNode;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Three real nodes, with every row on one of them. */
@TestInstance(Lifecycle.PER_CLASS)
@ResourceLock(ThreeNodes.LOCK)
@Isolated("a slow machine seems like a missing node")
@Tag(Tier.IN_FULL)
class WithoutCopiesIT {
  static final String KEYSPACE = "without_copies";

  @TempDir static Path folder;
  private final Random random = Seed.random(this);
  private final CassandraCluster cluster = ThreeNodes.cluster();

  /**
   * A node freezes and thaws, then another run of it ends and begins: without its rows there is no
   * answer but those that say what they lack, and afterwards everything is there as before.
   */
  @Test
  void tornAnswersAreIncompleteIfANodeIsMissing() throws Exception {
    String[] settings =
        CassandraRun.settings(
            cluster,
            "store.cassandra.replication=1",
            "store.cassandra.keyspace=" + KEYSPACE,
            ScatteredEvents.SETTING,
            "query.row-cache=0");
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
