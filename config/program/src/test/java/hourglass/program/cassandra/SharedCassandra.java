package hourglass.program.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import hourglass.config.cli.TemporaryFolder;
import hourglass.config.server.Parts;
import hourglass.store.cassandra.CassandraOptions;
import hourglass.store.sandbox.CassandraCluster;
import hourglass.testing.SharedServers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * A real node for all tests of a run, or at least of this JVM. The classes that use it follow one
 * another in one keyspace.
 */
public final class SharedCassandra {
  /** Held by the class of tests that uses it. */
  public static final String LOCK = "one node";

  /** A short time of trust, so that dropped hours may be written again at once. */
  private static final Duration TRUST_FOR = Duration.ofMillis(20);

  private static final InetSocketAddress ADDRESS =
      SharedServers.address("cassandra").orElseGet(SharedCassandra::startedHere);

  private SharedCassandra() {}

  private static InetSocketAddress startedHere() {
    Parts parts = new Parts();
    Runtime.getRuntime().addShutdownHook(new Thread(parts::close));
    try {
      Path folder = parts.add(TemporaryFolder.create("shared-cassandra")).path();
      CassandraCluster started =
          parts.add(CassandraCluster.start(CassandraCluster.options(folder).forgetful()));
      return started.node(1).address();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Settings to use the node, and more of a test's own. */
  public static String[] settings(String... more) {
    Stream<String> own =
        Stream.of(
            "store.engine=cassandra",
            "store.cassandra.contact-points=[\"" + CassandraRun.name(ADDRESS) + "\"]",
            "constant.trustForMillis=" + TRUST_FOR.toMillis());
    return Stream.concat(own, Stream.of(more)).toArray(String[]::new);
  }

  /**
   * Truncates all tables of the usual keyspace, which is faster than another keyspace, and forgets
   * which hours were dropped. No server may run meanwhile.
   */
  public static void empty() {
    String keyspace =
        CassandraOptions.builder()
            .contactPoints(List.of(CassandraRun.name(ADDRESS)))
            .build()
            .keyspace();
    try (CqlSession session = session()) {
      session.getMetadata().getKeyspace(keyspace).stream()
          .flatMap(found -> found.getTables().keySet().stream())
          .map(table -> "TRUNCATE " + keyspace + "." + table.asCql(true))
          .map(text -> SimpleStatement.newInstance(text).setTimeout(Duration.ofMinutes(2)))
          .forEach(session::execute);
    }
  }

  /** The rows of a query in CQL, each with one value. */
  public static <T> List<T> values(String cql, Class<T> type) {
    try (CqlSession session = session()) {
      return session.execute(cql).all().stream().map(row -> row.get(0, type)).toList();
    }
  }

  private static CqlSession session() {
    return CqlSession.builder()
        .addContactPoint(ADDRESS)
        .withLocalDatacenter(CassandraCluster.DATACENTER)
        .build();
  }
}
