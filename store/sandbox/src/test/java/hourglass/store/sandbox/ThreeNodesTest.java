package hourglass.store.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import hourglass.testing.Tier;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes, with all options on. */
@Tag(Tier.IN_FULL)
class ThreeNodesTest {
  @TempDir static Path folder;

  @Test
  void aQuorumAnswersWhileANodeIsAway() throws Exception {
    ClusterOptions options = CassandraCluster.options(folder).nodes(3).secured();
    try (CassandraCluster cluster = CassandraCluster.start(options)) {
      assertThatThrownBy(() -> Cql.session(cluster).build().close())
          .as("without TLS")
          .isInstanceOf(AllNodesFailedException.class);
      assertThatThrownBy(() -> trusting(cluster).build().close())
          .as("without a password")
          .isInstanceOf(AllNodesFailedException.class)
          .hasStackTraceContaining("requires authentication");
      try (CqlSession session =
          trusting(cluster).withAuthCredentials("cassandra", "cassandra").build()) {
        // A node may learn what clients need to know of another after it sees it alive.
        await(() -> session.getMetadata().getNodes().size() == 3);
        session.execute(
            "CREATE KEYSPACE k WITH replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': 3}");
        session.execute("CREATE TABLE k.t (id int PRIMARY KEY)");
        await(() -> write(session, 1));

        cluster.node(2).kill();
        await(() -> write(session, 2));

        cluster.node(2).restart();
        cluster.node(3).kill(); // so that the node that was away must answer
        await(() -> write(session, 3));
        await(() -> IntStream.rangeClosed(1, 3).allMatch(id -> holds(session, id)));
      }
      assertThat(cluster.nodetool("info")).contains("Native Transport active: true");
      assertThatThrownBy(() -> cluster.nodetool("no-such-command"))
          .isInstanceOf(SandboxException.class)
          .hasMessageContaining("no-such-command");
    }
  }

  /** The nodes that are left need seconds to notice a dead one, and fail requests meanwhile. */
  private static void await(Callable<Boolean> condition) {
    Awaitility.await().ignoreExceptions().until(condition);
  }

  private static boolean write(CqlSession session, int id) {
    session.execute(quorum("INSERT INTO k.t (id) VALUES (" + id + ")"));
    return true;
  }

  private static boolean holds(CqlSession session, int id) {
    return session.execute(quorum("SELECT id FROM k.t WHERE id = " + id)).one() != null;
  }

  private static SimpleStatement quorum(String text) {
    return SimpleStatement.newInstance(text)
        .setIdempotent(true)
        .setConsistencyLevel(ConsistencyLevel.LOCAL_QUORUM);
  }

  /** Checks the server's name against its key, as the driver does by default. */
  private static CqlSessionBuilder trusting(CassandraCluster cluster) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(cluster.trustStore())) {
      trusted.load(in, cluster.trustStorePassword().toCharArray());
    }
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return Cql.session(cluster).withSslContext(context);
  }
}
