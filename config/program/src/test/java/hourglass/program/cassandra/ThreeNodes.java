package hourglass.program.cassandra;

import hourglass.config.cli.TemporaryFolder;
import hourglass.config.server.Parts;
import hourglass.store.sandbox.CassandraCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Three real nodes, started when a test first wants them, for all tests of this JVM. Classes of
 * tests follow one another, each in a keyspace of its own, and leave all nodes running.
 */
final class ThreeNodes {
  /** Held by the class of tests that uses them. */
  static final String LOCK = "three nodes";

  private static final Parts PARTS = new Parts();
  private static final Path FOLDER = makeFolder();
  private static final CassandraCluster CLUSTER = start();

  private ThreeNodes() {}

  private static Path makeFolder() {
    Runtime.getRuntime().addShutdownHook(new Thread(PARTS::close));
    try {
      return PARTS.add(TemporaryFolder.create("three-nodes")).path();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static CassandraCluster start() {
    try {
      return PARTS.add(
          CassandraCluster.start(
              CassandraCluster.options(FOLDER)
                  .nodes(3)
                  // A killed node must still have all it acknowledged, since another may be
                  // killed soon. The default would lose the last tenth of a second.
                  .setting("commitlog_sync", "group")
                  .setting("commitlog_sync_group_window", "5ms")
                  .setting("commitlog_sync_period", "0ms")));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** The tables of a node, as folders that end in the id of the table. */
  static List<Path> tables(int node, String keyspace) throws IOException {
    Path all = FOLDER.resolve("node" + node).resolve("data").resolve(keyspace);
    try (Stream<Path> found = Files.list(all)) {
      return found.sorted().toList();
    }
  }

  static CassandraCluster cluster() {
    return CLUSTER;
  }
}
