package hourglass.store.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import hourglass.store.cassandra.driver.Cql;
import hourglass.store.cassandra.driver.RequestWindow;
import hourglass.store.sandbox.CassandraCluster;
import hourglass.testing.Patience;
import hourglass.testing.SharedServers;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;

/**
 * A real node for all tests of a run, or at least of this JVM; each class of tests has a keyspace
 * of its own.
 */
public final class OneNode {
  private static final InetSocketAddress ADDRESS =
      SharedServers.address("cassandra").orElseGet(OneNode::startedHere);

  private static final AtomicInteger KEYSPACES = new AtomicInteger();

  private OneNode() {}

  private static InetSocketAddress startedHere() {
    try {
      Path folder = Files.createTempDirectory("hourglass-cassandra");
      CassandraCluster cluster =
          CassandraCluster.start(CassandraCluster.options(folder).forgetful());
      Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(cluster, folder)));
      return cluster.node(1).address();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static void stop(CassandraCluster cluster, Path folder) {
    cluster.node(1).kill();
    cluster.close();
    try (var files = Files.walk(folder)) {
      files.sorted(java.util.Comparator.reverseOrder()).map(Path::toFile).forEach(f -> f.delete());
    } catch (IOException e) {
      System.err.println(folder + " is left: " + e);
    }
  }

  static List<String> contactPoints() {
    return List.of(ADDRESS.getAddress().getHostAddress() + ":" + ADDRESS.getPort());
  }

  static void truncate(String table) {
    Statements.SESSION.execute("TRUNCATE " + table);
  }

  static CqlSession session() {
    return Statements.SESSION;
  }

  /** A session of the tests' own, opened on first use. */
  private static final class Statements {
    static final CqlSession SESSION =
        CqlSession.builder()
            .addContactPoint(ADDRESS)
            .withLocalDatacenter(CassandraCluster.DATACENTER)
            // A truncation flushes all memtables to the disk.
            .withConfigLoader(
                DriverConfigLoader.programmaticBuilder()
                    .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofMinutes(1))
                    .build())
            .build();
  }

  /** Creates a keyspace with the tables of default options, and opens a session of its own. */
  public static Cql cql(String keyspace) {
    CassandraOptions options = options(keyspace).build();
    CqlSession session =
        SessionFactory.builder(options, new SimpleMeterRegistry().counter("retries")).build();
    new Schema(session, options).ensure();
    return new Cql(
        session,
        keyspace,
        new RequestWindow("reads", options.requestsMax(), Integer.MAX_VALUE),
        new RequestWindow("writes", options.requestsMax(), Integer.MAX_VALUE),
        ForkJoinPool.commonPool());
  }

  public static String freshKeyspace() {
    return "test_" + KEYSPACES.incrementAndGet();
  }

  /** The defaults, but no request fails because other tests keep the machine busy. */
  static CassandraOptionsBuilder options(String keyspace) {
    return CassandraOptions.builder()
        .contactPoints(contactPoints())
        .keyspace(keyspace)
        .requestTimeout(Patience.LONGEST);
  }

  /** Connected: the first store of a keyspace creates it, which takes a while. */
  static CassandraStore open(CassandraOptions options, Clock clock) {
    return open(options, clock, new SimpleMeterRegistry());
  }

  static CassandraStore open(CassandraOptions options, Clock clock, MeterRegistry meters) {
    return connected(CassandraStore.open(options, clock, meters));
  }

  static CassandraStore connected(CassandraStore store) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(10))
        .pollInSameThread()
        .until(() -> !store.check().toCompletableFuture().handle((ok, e) -> e != null).join());
    return store;
  }
}
