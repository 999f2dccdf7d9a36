package hourglass.program.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.program.NumberedEvents;
import hourglass.program.PushedBatches;
import hourglass.program.PushedBatches.Batch;
import hourglass.program.ServerProcess;
import hourglass.store.sandbox.CassandraCluster;
import hourglass.store.sandbox.CassandraNode;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Cassandra is away, from the start or later: the process lives and says so, and nobody has to
 * restart it when Cassandra is there.
 */
@Order(9)
@Tag(Tier.IN_FULL)
class CassandraAwayIT {
  private static final int BATCH_MAX = 2_000;
  private static final int EVENTS_BETWEEN = Tier.length(4_000, 4_000, 20_000);
  private static final Duration AWAY = Duration.ofSeconds(Tier.length(10, 10, 60));

  /** A heap of 512 MiB, the driver's own memory, and the JVM's. */
  private static final long RESIDENT_BYTES_MAX = 900L << 20;

  @TempDir Path folder;
  private final Random random = Seed.random(this);
  private final PushedBatches batches =
      new PushedBatches(new NumberedEvents(random.nextLong(), 600));
  private CassandraCluster cluster;
  private long resident;

  @BeforeEach
  void startNode() throws InterruptedException {
    // There is no other copy: it is to acknowledge only what it finds again after a kill, and not
    // what came since it marked its log, a tenth of a second ago.
    cluster =
        CassandraCluster.start(
            CassandraCluster.options(folder.resolve("nodes"))
                .setting("commitlog_sync", "group")
                .setting("commitlog_sync_group_window", "5ms")
                .setting("commitlog_sync_period", "0ms"));
  }

  @AfterEach
  void stopNode() {
    cluster.close();
  }

  @Test
  void cassandraAwayIsReportedAndRecoveredFrom() throws Exception {
    cluster.node(1).kill(); // it has nothing of Hourglass yet
    try (ServerProcess server = ServerProcess.start(folder, CassandraRun.settings(cluster))) {
      isUnready(server);
      Batch first = batches.take(100, true);
      isUnavailable(push(server, first));
      cluster.node(1).restart();
      isWellAgain(server);
      batches.resendOpen(server);
      CassandraNode node = cluster.node(1);
      underLoad(server, node::kill, node::restart, "killed");
      underLoad(server, node::freeze, node::thaw, "frozen");
      batches.checkAnswered(server);
      assertThat(server.log()).doesNotContain(" ERROR ", "OutOfMemory");
    }
  }

  private void isUnready(ServerProcess server) throws Exception {
    HttpResponse<String> ready = server.get("/health/ready");
    assertThat(server.get("/health/live").statusCode()).isEqualTo(200);
    isUnavailable(ready);
  }

  private boolean isUnavailable(String trouble) {
    return trouble.startsWith("503 ") && trouble.contains(contactPoint());
  }

  private void isUnavailable(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
    assertThat(answer.headers().firstValueAsLong("retry-after").orElse(0)).isPositive();
    assertThat(answer.body()).contains(contactPoint());
  }

  private String contactPoint() {
    return CassandraRun.name(cluster.node(1).address());
  }

  private void isWellAgain(ServerProcess server) {
    await().until(() -> server.get("/health/ready").statusCode() == 200);
  }

  private HttpResponse<String> push(ServerProcess server, Batch batch)
      throws IOException, InterruptedException {
    return batches.push(PushedBatches.newClient(), server, batch);
  }

  /** An action on Cassandra. */
  private interface Event {
    void happen() throws Exception;
  }

  private void underLoad(ServerProcess server, Event failure, Event recovery, String what)
      throws Exception {
    try (SteadyLoad load =
        SteadyLoad.start(List.of(server), List.of(server), batches, BATCH_MAX, random)) {
      load.awaitMore(EVENTS_BETWEEN, Duration.ZERO);
      long before = server.metric("process_resident_memory_bytes");
      long fromNanos = System.nanoTime();
      failure.happen();
      stayAway(server, load, fromNanos);
      recovery.happen();
      System.out.println(what + ": " + load.pushes().since(fromNanos));
      System.out.println(what + ": " + load.queries().since(fromNanos));
      System.out.printf("%s: %d MiB resident, at most %d%n", what, before >> 20, resident >> 20);
      load.check();
      assertThat(load.pushes().since(fromNanos).troubles().keySet())
          .as("troubles of pushes")
          .isNotEmpty()
          .allMatch(trouble -> isUnavailable(trouble) || trouble.startsWith("429 "))
          .anyMatch(this::isUnavailable);
      assertThat(resident).as("resident bytes").isLessThan(RESIDENT_BYTES_MAX);
      isWellAgain(server);
      load.awaitMore(EVENTS_BETWEEN, Duration.ZERO);
      load.finish();
    }
    assertThat(batches.open()).isZero();
    batches.checkAnswered(server);
  }

  /** Looks at the memory meanwhile, until a client was told, and longer. */
  private void stayAway(ServerProcess server, SteadyLoad load, long fromNanos) throws Exception {
    long untilNanos = System.nanoTime() + AWAY.toNanos();
    await()
        .pollInterval(Duration.ofMillis(100))
        .until(
            () -> {
              resident = Math.max(resident, server.metric("process_resident_memory_bytes"));
              return System.nanoTime() - untilNanos >= 0
                  && server.get("/health/ready").statusCode() != 200
                  && load.pushes().since(fromNanos).troubles().keySet().stream()
                      .anyMatch(this::isUnavailable);
            });
    isUnready(server);
  }
}
