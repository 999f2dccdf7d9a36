package hourglass.program.cassandra;

import hourglass.config.cli.TemporaryFolder;
import hourglass.config.server.Parts;
import hourglass.store.sandbox.CassandraCluster;
import java.io.IOException;

/**
 * Three real nodes, started when a test first wants them, for all tests of this JVM. Classes of
 * tests follow one another, each in a keyspace of its own, and leave all nodes running.
 */
final class ThreeNodes {
  /** Held by the class of tests that uses them. */
  static final String LOCK = "three nodes";

  private static final CassandraCluster CLUSTER = start();

  private ThreeNodes() {}

  private static CassandraCluster start() {
    Parts parts = new Parts();
    Runtime.getRuntime().addShutdownHook(new Thread(parts::close));
    try {
      return parts.add(
          CassandraCluster.start(
              CassandraCluster.options(parts.add(TemporaryFolder.create("three-nodes")).path())
                  .nodes(3)
                  // A killed node must still have all it acknowledged, since another may be
                  // killed soon. The default would lose the last tenth of a second.
                  .setting("commitlog_sync", "group")
                  .setting("commitlog_sync_group_window", "5ms")
                  .setting("commitlog_sync_period", "0ms")));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  static CassandraCluster cluster() {
    return CLUSTER;
  }
}
