package hourglass.store.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import hourglass.testing.Tier;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CassandraClusterTest {
  private static final SimpleStatement READ =
      SimpleStatement.newInstance("SELECT v FROM k.t WHERE id = 1");

  @TempDir static Path folder;

  /** The first tier starts nodes for the store and for the whole program. */
  @Test
  @Tag(Tier.IN_FULL)
  void aNodeCanBeFrozenKilledAndRestarted() throws Exception {
    ClusterOptions options = CassandraCluster.options(folder);
    long killed;
    try (CassandraCluster cluster = CassandraCluster.start(options);
        CqlSession session = Cql.session(cluster).build()) {
      session.execute(
          "CREATE KEYSPACE k WITH replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': 1}");
      session.execute("CREATE TABLE k.t (id int PRIMARY KEY, v text)");
      session.execute("INSERT INTO k.t (id, v) VALUES (1, 'kept')");

      cluster.node(1).freeze();
      assertThat(cluster.node(1).isAlive()).isTrue();
      assertThatThrownBy(() -> session.execute(READ.setTimeout(Duration.ofSeconds(2))))
          .isInstanceOf(DriverTimeoutException.class);
      cluster.node(1).thaw();
      await().ignoreExceptions().until(() -> read(session) != null);

      killed = cluster.node(1).pid();
      cluster.node(1).kill();
      assertThat(ProcessHandle.of(killed)).isEmpty();
      cluster.node(1).restart();
      assertThat(cluster.node(1).pid()).isNotEqualTo(killed);
      await().ignoreExceptions().until(() -> read(session) != null);
      assertThat(read(session)).isEqualTo("kept");
      assertThatThrownBy(() -> cluster.node(1).restart()).hasMessageContaining("runs");
      assertThatThrownBy(cluster::trustStore).hasMessageContaining("does not use TLS");
      killed = cluster.node(1).pid();
    }
    assertThat(ProcessHandle.of(killed)).isEmpty();
    assertThatThrownBy(() -> CassandraCluster.start(options.nodes(2)))
        .isInstanceOf(SandboxException.class)
        .hasMessageContaining("holds a cluster of 1 node");
  }

  @Test
  void aFailedStartNamesItsCause(@TempDir Path other) {
    ClusterOptions options = CassandraCluster.options(other).setting("no_such_setting", "1");
    assertThatThrownBy(() -> CassandraCluster.start(options))
        .isInstanceOf(SandboxException.class)
        .hasMessageContaining("Cassandra node 1 ended by itself")
        .hasMessageContaining("no_such_setting");
  }

  private static String read(CqlSession session) {
    return session.execute(READ).one().getString("v");
  }
}
