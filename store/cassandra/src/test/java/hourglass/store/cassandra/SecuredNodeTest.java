package hourglass.store.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.ColumnsBuilder;
import hourglass.store.Mutation;
import hourglass.store.Order;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.UnavailableException;
import hourglass.store.sandbox.CassandraCluster;
import hourglass.testing.Tier;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster that requires TLS and a login; without them, the store gives the reason. */
@Tag(Tier.IN_FULL)
class SecuredNodeTest {
  private static final String SUPERUSER = "cassandra";

  @TempDir private static Path folder;
  private static CassandraCluster cluster;

  @BeforeAll
  static void start() throws InterruptedException {
    cluster =
        CassandraCluster.start(
            CassandraCluster.options(folder)
                .secured()
                .setting("auto_snapshot", "false")
                // Applies changed passwords at once.
                .setting("credentials_validity", "0ms")
                .jvmFlag("-Dcassandra.unsafesystem=true"));
  }

  @AfterAll
  static void stop() {
    cluster.node(1).kill();
    cluster.close();
  }

  @Test
  void tlsAndLoginAllowReadsAndWrites() {
    try (CassandraStore store = open(options().username(SUPERUSER).password(SUPERUSER))) {
      awaitReady(store);
      Hour hour = Hour.parse("2026-11-20T08");
      RowKey row = new RowKey(hour, "checkout", 0);
      TimeUuid name = TimeUuid.first(hour.startTicks());
      ColumnsBuilder pack = new ColumnsBuilder(1, 1);
      pack.add(name.ticks(), name.lsb(), new byte[] {7}, 0, 1);
      store.write(List.of(new Mutation(row, pack.build()))).toCompletableFuture().join();
      SliceQuery all =
          new SliceQuery(row, ColumnRange.of(hour), Order.ASCENDING, 10, Projection.COLUMNS);
      assertThat(store.slice(all).toCompletableFuture().join().columns().size()).isEqualTo(1);
    }
  }

  @Test
  void wrongPasswordIsReportedAndCorrectable() {
    try (CqlSession admin =
        SessionFactory.builder(
                options().username(SUPERUSER).password(SUPERUSER).build(),
                new SimpleMeterRegistry().counter("retries"))
            .build()) {
      admin.execute(
          "CREATE ROLE hourglass WITH SUPERUSER = true AND LOGIN = true AND PASSWORD = 'old'");
      try (CassandraStore store = open(options().username("hourglass").password("new"))) {
        assertThat(reason(store)).contains(address()).contains("hourglass").contains("password");
        changePassword(admin);
        awaitReady(store);
      }
    }
  }

  /** Cassandra refuses a change for some seconds after the last one. */
  private static void changePassword(CqlSession admin) {
    Awaitility.await()
        .pollInSameThread()
        .ignoreExceptions()
        .until(() -> admin.execute("ALTER ROLE hourglass WITH PASSWORD = 'new'") != null);
  }

  @Test
  void missingLoginIsReported() {
    try (CassandraStore store = open(options())) {
      assertThat(reason(store)).contains(address()).containsIgnoringCase("authenticat");
    }
  }

  @Test
  void untrustedCertificateIsReported() {
    CassandraOptionsBuilder options =
        options().username(SUPERUSER).password(SUPERUSER).trustStore(null).trustStorePassword(null);
    try (CassandraStore store = open(options)) {
      assertThat(reason(store)).contains(address()).contains("certification path");
      assertThat(reason(store)).as("the same each time").doesNotContain("|control|");
    }
  }

  @Test
  void unreadableTrustStoreIsReported() {
    String missing = folder.resolve("missing.p12").toString();
    try (CassandraStore store = open(options().trustStore(missing).trustStorePassword("secret"))) {
      assertThat(reason(store)).contains(missing).doesNotContain("secret");
    }
    String there = cluster.trustStore().toString();
    try (CassandraStore store = open(options().trustStore(there).trustStorePassword("a secret"))) {
      assertThat(reason(store)).contains("password was incorrect").doesNotContain("a secret");
    }
  }

  @Test
  void plainTextToATlsNodeIsReported() {
    try (CassandraStore store =
        open(options().username(SUPERUSER).password(SUPERUSER).tls(false))) {
      assertThat(reason(store)).contains(address());
    }
  }

  private static CassandraOptionsBuilder options() {
    return CassandraOptions.builder()
        .contactPoints(List.of(address()))
        .keyspace("secured")
        .tls(true)
        .trustStore(cluster.trustStore().toString())
        .trustStorePassword(cluster.trustStorePassword());
  }

  private static String address() {
    InetSocketAddress address = cluster.contactPoints().get(0);
    return address.getAddress().getHostAddress() + ":" + address.getPort();
  }

  private static CassandraStore open(CassandraOptionsBuilder options) {
    return CassandraStore.open(options.build(), Clock.systemUTC(), new SimpleMeterRegistry());
  }

  private static String reason(CassandraStore store) {
    try {
      store.check().toCompletableFuture().join();
    } catch (CompletionException e) {
      assertThat(e).hasCauseInstanceOf(UnavailableException.class);
      return e.getCause().getMessage();
    }
    throw new AssertionError("the store is ready");
  }

  private static void awaitReady(CassandraStore store) {
    Awaitility.await()
        .pollInSameThread()
        .until(() -> store.check().toCompletableFuture().handle((ok, e) -> e == null).join());
  }
}
