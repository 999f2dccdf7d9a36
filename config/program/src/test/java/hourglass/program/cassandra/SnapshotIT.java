package hourglass.program.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import hourglass.program.ServerProcess;
import hourglass.store.sandbox.CassandraCluster;
import hourglass.testing.Tier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A snapshot of three real nodes is restored as docs/operations.md says. */
@ResourceLock(ThreeNodes.LOCK)
@Isolated("a slow machine seems like a missing node")
@Tag(Tier.IN_FULL)
class SnapshotIT {
  private static final String KEYSPACE = "snapshots";
  private static final String TAG = "before";

  private static final String DAY = "from=2026-11-20T08:00:00Z&to=2026-11-20T12:00:00Z";

  @TempDir Path folder;
  private final CassandraCluster cluster = ThreeNodes.cluster();
  private final String[] settings =
      CassandraRun.settings(
          cluster, "store.cassandra.keyspace=" + KEYSPACE, "constant.sealAfterMillis=2000");

  @Test
  void aRestoredSnapshotHasAllThatWasThereWhenItWasTaken() throws Exception {
    Set<String> taken;
    try (ServerProcess server = start("a")) {
      push(server, 8, 0, 3_000);
      await()
          .atMost(Duration.ofMinutes(3))
          .untilAsserted(
              () ->
                  assertThat(server.get("/api/v1/rows?hour=2026-11-20T08").body())
                      .contains("\"sealed\":true"));
      push(server, 9, 0, 200); // not in pages
      taken = events(server);
      assertThat(taken).hasSize(3_200);
      assertThat(server.terminate()).isZero();
    }
    for (int node = 1; node <= cluster.size(); node++) {
      cluster.nodetool(node, "snapshot", "-t", TAG, KEYSPACE);
    }
    try (ServerProcess server = start("b")) {
      push(server, 8, 3_000, 3_100);
      push(server, 10, 0, 50);
      assertThat(events(server)).hasSize(3_350);
      assertThat(server.terminate()).isZero();
    }
    truncateAll();
    for (int node = 1; node <= cluster.size(); node++) {
      restore(node);
    }
    try (ServerProcess server = start("c")) {
      assertThat(events(server)).isEqualTo(taken);
      assertThat(server.get("/api/v1/hits?step=1h&" + DAY).body())
          .contains("\"total\":3200", "\"complete\":true");
      push(server, 8, 2_990, 3_010);
      assertThat(events(server)).hasSize(3_210);
      assertThat(server.terminate()).isZero();
    }
  }

  private ServerProcess start(String name) throws Exception {
    ServerProcess server =
        ServerProcess.start(Files.createDirectories(folder.resolve(name)), settings);
    server.awaitReady();
    return server;
  }

  /** Truncates all tables of the keyspace. */
  private void truncateAll() {
    try (CqlSession session =
        CqlSession.builder()
            .addContactPoints(cluster.contactPoints())
            .withLocalDatacenter(cluster.datacenter())
            .build()) {
      session.getMetadata().getKeyspace(KEYSPACE).orElseThrow().getTables().keySet().stream()
          .map(table -> "TRUNCATE " + KEYSPACE + "." + table.asCql(true))
          .map(text -> SimpleStatement.newInstance(text).setTimeout(Duration.ofMinutes(2)))
          .forEach(session::execute);
    }
  }

  /** Imports a copy of the snapshot of each table of a node. */
  private void restore(int node) throws Exception {
    for (Path table : ThreeNodes.tables(node, KEYSPACE)) {
      Path snapshot = table.resolve("snapshots").resolve(TAG);
      String name = table.getFileName().toString().replaceFirst("-.*", "");
      Path copy = Files.createDirectories(folder.resolve("node" + node).resolve(name));
      try (Stream<Path> files = Files.list(snapshot)) {
        for (Path file : files.filter(SnapshotIT::isOfTable).toList()) {
          Files.copy(file, copy.resolve(file.getFileName()));
        }
      }
      cluster.nodetool(node, "import", KEYSPACE, name, copy.toString());
    }
  }

  /** Whether a file has data of the table, and does not describe the snapshot. */
  private static boolean isOfTable(Path file) {
    String name = file.getFileName().toString();
    return !name.equals("manifest.json") && !name.equals("schema.cql");
  }

  private static Set<String> events(ServerProcess server) throws Exception {
    String body = server.get("/api/v1/events?limit=all&format=ndjson&" + DAY).body();
    Set<String> events = new TreeSet<>(List.of(body.strip().split("\n")));
    assertThat(events).allMatch(each -> each.contains("\"type\""));
    return events;
  }

  private static void push(ServerProcess server, int hour, int from, int to) throws Exception {
    String body =
        IntStream.range(from, to)
            .mapToObj(
                n ->
                    "{\"type\":\"shop\",\"source\":\"s\",\"id\":\"%d\",\"time\":\"2026-11-20T%02d:%02d:00Z\",\"n\":%d}\n"
                        .formatted(n, hour, n % 60, n))
            .collect(Collectors.joining());
    assertThat(server.post("/api/v1/events", "application/x-ndjson", body).statusCode())
        .isEqualTo(200);
  }
}
