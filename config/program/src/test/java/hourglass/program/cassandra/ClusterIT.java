package hourglass.program.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.program.NumberedEvents;
import hourglass.program.Program;
import hourglass.program.PushedBatches;
import hourglass.program.ServerProcess;
import hourglass.program.cassandra.CallLog.Stretch;
import hourglass.store.sandbox.CassandraCluster;
import hourglass.store.sandbox.CassandraNode;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Three nodes with every row on all of them, two processes that take events and two that answer:
 * under load one of them fails, and the others go on. Whatever was acknowledged is shown by both
 * query processes, at once and in the end, and nothing is there twice. The load generator runs
 * beside, and proves the same of its own events.
 */
@TestInstance(Lifecycle.PER_CLASS)
@Order(1)
@ResourceLock(ThreeNodes.LOCK)
@Tag(Tier.IN_FULL)
class ClusterIT {
  private static final int BATCH_MAX = 150;
  private static final int EVENTS_BETWEEN = Tier.length(2_000, 2_000, 20_000);

  /** Events generated in each test, enough to last longer than its failure. */
  private static final int GENERATED_EVENTS = Tier.length(8_000, 8_000, 18_000);

  private static final int GENERATED_PER_SECOND = 300;

  private static final Duration DEAD = Duration.ofSeconds(Tier.length(5, 5, 30));
  private static final Duration FROZEN = Duration.ofSeconds(Tier.length(15, 15, 20));

  /** How soon after a failure, or an end of one, calls must be answered well again. */
  private static final Duration FIRST_SECONDS = Duration.ofSeconds(10);

  /** Limit for starting one more program on a slow machine. */
  private static final Duration STARTING = Duration.ofMinutes(2);

  @TempDir static Path folder;
  private final Random random = Seed.random(this);
  private final PushedBatches batches =
      new PushedBatches(new NumberedEvents(random.nextLong(), 300));
  private final List<ServerProcess> ingest = new ArrayList<>();
  private final List<ServerProcess> query = new ArrayList<>();
  private CassandraCluster cluster;

  @BeforeAll
  void start() throws Exception {
    cluster = ThreeNodes.cluster();
    for (int i = 0; i < 2; i++) {
      ingest.add(process("ingest"));
      query.add(process("query"));
    }
  }

  private ServerProcess process(String role) throws IOException {
    return ServerProcess.start(
        folder, CassandraRun.settings(cluster, "roles=[" + role + "]", "bucketing.shards=2"));
  }

  @AfterAll
  void stop() {
    ingest.forEach(ServerProcess::close);
    query.forEach(ServerProcess::close);
  }

  @Test
  void nodeKillAndRestartLoseNothing() throws Exception {
    CassandraNode node = cluster.node(2);
    survives("2026-11-19T01", "node killed", node::kill, DEAD, "node restarted", node::restart);
  }

  @Test
  void nodeFreezeAndThawLoseNothing() throws Exception {
    CassandraNode node = cluster.node(3);
    survives("2026-11-19T02", "node frozen", node::freeze, FROZEN, "node thawed", node::thaw);
  }

  /** A failure of a node. */
  private interface Event {
    void happen() throws Exception;
  }

  /**
   * @param hour of the load generator's events
   */
  private void survives(
      String hour, String failed, Event failure, Duration lasting, String back, Event recovery)
      throws Exception {
    try (Program.Running generate = generate(hour);
        SteadyLoad load = load()) {
      long failedNanos = System.nanoTime();
      failure.happen();
      goesOn(load, failedNanos, lasting, failed);
      long backNanos = System.nanoTime();
      recovery.happen();
      goesOn(load, backNanos, Duration.ZERO, back);
      load.finish();
      verifies(generate);
    }
    check();
  }

  @Test
  void ingestProcessKillLosesNothing() throws Exception {
    try (Program.Running generate = generate("2026-11-19T03");
        SteadyLoad load = load()) {
      long failedNanos = System.nanoTime();
      ingest.get(0).kill();
      goesOn(load, failedNanos, Duration.ZERO, "ingest process killed");
      load.finish();
      assertThat(load.pushes().since(failedNanos).troubles()).as("nobody noticed").isNotEmpty();
      assertThat(verifies(generate)).contains("retries   ").doesNotContain("retries   none");
    } finally {
      ingest.set(0, process("ingest"));
    }
    check();
  }

  /** Returns a running load after its first events were accepted. */
  private SteadyLoad load() throws Exception {
    SteadyLoad load = SteadyLoad.start(ingest, query, batches, BATCH_MAX, random);
    load.awaitMore(EVENTS_BETWEEN, Duration.ZERO);
    return load;
  }

  /** The load generator into an hour of its own, under way; reads all of it back at its end. */
  private Program.Running generate(String hour) throws IOException {
    Program.Running generate =
        Program.start(
            folder,
            Map.of(),
            "load",
            "generate",
            "--target=" + ingest.get(0).address() + "," + ingest.get(1).address(),
            "--query-target=" + query.get(0).address(),
            "--hour=" + hour,
            "--events=" + GENERATED_EVENTS,
            "--rate=" + GENERATED_PER_SECOND,
            "--batch=50",
            "--idempotency-key=auto",
            "--settle=0s",
            "--verify-exact");
    await()
        .atMost(STARTING)
        .untilAsserted(
            () ->
                assertThat(generate.said())
                    .as("running: %s", generate.process().isAlive())
                    .contains(" events,"));
    return generate;
  }

  /** None of its events is lost, or there twice; returns its report. */
  private static String verifies(Program.Running generate) throws Exception {
    Program.Result result = generate.end();
    System.out.println(result.out());
    assertThat(result.exit()).as(result.out() + result.err()).isZero();
    assertThat(result.out()).contains("verified  %,d events expected".formatted(GENERATED_EVENTS));
    return result.out();
  }

  private void goesOn(SteadyLoad load, long fromNanos, Duration atLeast, String what)
      throws Exception {
    load.awaitMore(EVENTS_BETWEEN, atLeast);
    for (CallLog log : List.of(load.pushes(), load.queries())) {
      Stretch seen = log.since(fromNanos);
      System.out.println(what + ": " + seen);
      assertThat(seen.succeeded()).as("%s: %s", what, seen).isPositive();
      if (Tier.current() == Tier.LONGEST) { // which has a machine that does nothing else
        assertThat(seen.silence()).as("%s: %s", what, seen).isLessThan(FIRST_SECONDS);
        assertThat(seen.lastTrouble()).as("%s: %s", what, seen).isLessThan(FIRST_SECONDS);
      }
    }
  }

  /** All writers have ended, and all their batches are acknowledged. */
  private void check() throws Exception {
    assertThat(batches.open()).isZero();
    for (ServerProcess server : query) {
      batches.checkAnswered(server);
      assertThat(server.log()).doesNotContain(" ERROR ");
    }
    for (ServerProcess server : ingest) {
      assertThat(server.log()).doesNotContain(" ERROR ");
    }
  }
}
