package hourglass.program.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.bucketing.Hour;
import hourglass.program.NumberedEvents;
import hourglass.program.PushedBatches;
import hourglass.program.PushedBatches.Batch;
import hourglass.program.ServerProcess;
import hourglass.program.cassandra.SealerProcess.End;
import hourglass.program.cassandra.SealerProcess.Next;
import hourglass.program.tail.FollowedTail;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Real nodes, servers and sealers, with kill -9 of each in every round. While a sealer stands at a
 * step, events come, hours pass, a node or a server goes, the other sealer seals the same rows, and
 * the sealer itself dies. Clocks differ by twenty minutes. Queries run all the time, and a tail.
 */
@Order(4)
@ResourceLock(ThreeNodes.LOCK)
@Tag(Tier.IN_FULL)
class SealingIT {
  /** {@code -Dhourglass.rounds=N} runs the long form in parts. */
  private static final int ROUNDS = Integer.getInteger("hourglass.rounds", Tier.length(1, 1, 100));

  private static final int WRITERS = 4;
  private static final int BATCH_MAX = 60;
  private static final int BATCHES_AT_FIRST = 30;

  /** Pause between two reads of everything. */
  private static final long READ_PAUSE_NANOS = 1_000_000_000;

  /** At how many of its steps something happens, besides. */
  private static final int STEPS_AN_ACTION = 8;

  private static final int STEPS_A_DEATH = Tier.length(20, 20, 40);

  /** Steps of a round within which a node, a server and a sealer are killed. */
  private static final int FIRST_STEPS = 40;

  /** The last hour of the events runs, by the clocks that are not ahead. */
  private static final Duration INTO_ROUND = Duration.ofMinutes(172);

  private static final String UNMARKED = "hourglass_store_rows_untold";

  private static final List<Duration> PAUSES =
      List.of(Duration.ofMinutes(31), Duration.ofMinutes(61), Duration.ofMinutes(121));

  /** Time after which a row is due for both sealers, whoever wrote to it. */
  private static final Duration QUIET = Duration.ofMinutes(82);

  @TempDir static Path folder;
  private final Random random = Seed.random(this);
  private final Map<String, Integer> reached = new ConcurrentHashMap<>();
  private final Map<String, Integer> deaths = new ConcurrentHashMap<>();
  private final List<PushedBatches> rounds = new ArrayList<>();
  private final List<String> trace = new ArrayList<>();
  private final CallLog pushes = new CallLog("pushes");
  private final CallLog queries = new CallLog("queries");
  private final AtomicInteger wholeReads = new AtomicInteger();
  private final AtomicInteger refusedReads = new AtomicInteger();
  private final long startNanos = System.nanoTime();
  private SealingCluster cluster;
  private volatile PushedBatches batches;
  private volatile boolean ending;
  private @Nullable Future<?> freePass;

  private long roundNanos;

  /**
   * Stops of sealers at steps so far in this round; at the stops named below, something is killed.
   */
  private int stops;

  private int nodeKillAt;
  private int nodeBackAt;
  private int serverKillAt;
  private int sealerKillAt;

  @BeforeEach
  void start() throws Exception {
    Instant first = Instant.parse("2026-11-20T08:00:00Z");
    cluster = new SealingCluster(folder, first.plus(INTO_ROUND));
    batches = new PushedBatches(new NumberedEvents(random.nextLong(), 300, first));
  }

  @AfterEach
  void stop() {
    ending = true;
    cluster.close();
  }

  @Test
  void sealingNeitherLosesNorDuplicatesEvents() throws Exception {
    Future<?> reader = cluster.call(this::read);
    String position = "";
    for (int round = 1; round <= ROUNDS; round++) {
      if (round > 1) {
        nextRound();
      }
      roundNanos = System.nanoTime();
      trace.clear();
      try (FollowedTail tail = new FollowedTail(() -> cluster.servers().get(0), "", position)) {
        await().until(() -> !tail.position().isEmpty());
        round();
        note("settle");
        settle();
        note("check");
        check(batches);
        note("check tail");
        checkTail(tail);
        position = tail.position();
        if (reader.isDone()) {
          reader.get();
        }
        System.out.printf(
            "round %d: %d s, %,d events, %d again by the tail, sealers stood %d times, died at"
                + " %s%n",
            round,
            (System.nanoTime() - roundNanos) / 1_000_000_000,
            batches.acknowledgedEvents(),
            tail.ids.size() - new HashSet<>(tail.ids).size(),
            stops,
            deaths);
      } catch (Exception | AssertionError e) {
        throw new AssertionError("round %d: %s".formatted(round, trace), e);
      }
    }
    ending = true;
    reader.get();
    finish();
  }

  private void round() throws Exception {
    rounds.add(batches);
    stops = 0;
    nodeKillAt = 1 + random.nextInt(FIRST_STEPS);
    nodeBackAt = nodeKillAt + 1 + random.nextInt(FIRST_STEPS);
    serverKillAt = 1 + random.nextInt(FIRST_STEPS);
    sealerKillAt = 1 + random.nextInt(FIRST_STEPS);
    write(BATCHES_AT_FIRST).get();
    while (stops < FIRST_STEPS) {
      write(1 + random.nextInt(4)).get();
      if (random.nextInt(4) == 0) {
        awaitGrace();
      }
      awaitMarks();
      pass(QUIET);
      int sealer = random.nextInt(2);
      if (random.nextInt(3) == 0) {
        freePass = cluster.begin(() -> seal(1 - sealer, this::goOn));
        seal(sealer, 1);
        freePass.get();
      } else {
        seal(sealer, 1);
        seal(1 - sealer, 1);
      }
    }
  }

  private void note(String what) {
    trace.add("%d %s".formatted((System.nanoTime() - roundNanos) / 1_000_000_000, what));
  }

  /** The next round's events are of hours behind those of this one. */
  private void nextRound() throws IOException {
    NumberedEvents events = batches.events();
    Instant from = events.from().plus(NumberedEvents.RANGE);
    Instant hour = Hour.of(cluster.now().minus(INTO_ROUND)).next().start();
    from = hour.isAfter(from) ? hour : from;
    pass(Duration.between(cluster.now(), from.plus(INTO_ROUND)));
    batches = new PushedBatches(new NumberedEvents(random.nextLong(), 300, from));
  }

  private void pass(Duration time) throws IOException {
    note("+" + time.toMinutes() + "min");
    cluster.pass(time);
  }

  /** A row is quiet from its last mark on, which follows the last write by a second or two. */
  private void awaitMarks() {
    for (ServerProcess server : cluster.servers()) {
      await().until(() -> !server.isAlive() || server.metric(UNMARKED) == 0);
    }
  }

  /** Waits for the grace period, within which nobody deletes what pages replace. */
  private void awaitGrace() {
    note("grace");
    long startNanos = System.nanoTime();
    await().until(() -> System.nanoTime() - startNanos > SealingCluster.GRACE.toNanos());
  }

  /** Some batches at once, each acknowledged in the end. */
  private Future<?> write(int count) {
    note(count + " batches");
    PushedBatches now = batches;
    List<List<Batch>> shares = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      if (i < WRITERS) {
        shares.add(new ArrayList<>());
      }
      shares.get(i % WRITERS).add(now.take(1 + random.nextInt(BATCH_MAX), true));
    }
    List<Future<?>> writers = new ArrayList<>();
    for (List<Batch> share : shares) {
      SplittableRandom own = new SplittableRandom(random.nextLong());
      int target = random.nextInt(2);
      writers.add(
          cluster.begin(
              () -> {
                PatientClient client =
                    new PatientClient(
                        cluster.servers(), cluster.servers(), pushes, queries, target);
                for (Batch batch : share) {
                  client.push(now, batch, own);
                }
                return null;
              }));
    }
    return cluster.call(
        () -> {
          for (Future<?> writer : writers) {
            writer.get();
          }
          return null;
        });
  }

  /** One pass of a sealer; one that died is replaced by another process. */
  private End seal(int sealer, Function<String, Next> atStep) throws IOException {
    End end = cluster.sealer(sealer).pass(atStep);
    if (end == End.DIED) {
      cluster.replaceSealer(sealer);
    }
    return end;
  }

  private void seal(int sealer, int depth) throws IOException {
    note("sealer " + sealer);
    note(seal(sealer, step -> reach(sealer, step, depth)).toString());
  }

  private Next goOn(String step) {
    reached.merge(step, 1, Integer::sum);
    return Next.GO_ON;
  }

  private Next reach(int sealer, String step, int depth) {
    int stop = ++stops;
    reached.merge(step, 1, Integer::sum);
    try {
      fail(stop);
      while (random.nextInt(STEPS_AN_ACTION) == 0) {
        act(sealer, step, depth);
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    boolean first = Tier.current() == Tier.LONGEST && !deaths.containsKey(step);
    if (!first && stop != sealerKillAt && random.nextInt(STEPS_A_DEATH) > 0) {
      return Next.GO_ON;
    }
    Next next = first || random.nextBoolean() ? Next.DIE : Next.GO_ON_AND_DIE;
    note(next + " " + step);
    deaths.merge(step, 1, Integer::sum);
    return next;
  }

  /** Injects the failure that happens once in a round. */
  private void fail(int stop) throws Exception {
    if (stop == nodeKillAt) {
      int node = 1 + random.nextInt(3);
      note("kill node " + node);
      cluster.killNode(node);
    }
    if (stop == nodeBackAt) {
      note("restart it");
      cluster.restartNode();
    }
    if (stop == serverKillAt) {
      int server = random.nextInt(2);
      note("kill server " + server);
      cluster.killServer(server);
    }
  }

  private void act(int sealer, String step, int depth) throws Exception {
    int dice = random.nextInt(100);
    note(step + ":");
    if (dice < 35) {
      write(1 + random.nextInt(3)).get();
    } else if (dice < 55) {
      write(1 + random.nextInt(3));
    } else if (dice < 70) {
      note("read");
      tryReading(random(cluster.servers()));
    } else if (dice < 85) {
      pass(random(PAUSES));
    } else if (depth == 1 && (freePass == null || freePass.isDone())) {
      seal(1 - sealer, 2);
      if (dice < 88) {
        oversleep(1 - sealer);
      }
    }
  }

  /**
   * Waits until the other sealer has deleted the packs replaced by its pages, and more events were
   * written.
   */
  private void oversleep(int other) throws Exception {
    seal(other, 2);
    seal(other, 2);
    awaitGrace();
    seal(other, 2);
    write(2).get();
  }

  private @Nullable Void read() throws Exception {
    for (int i = 0; !ending; i++) {
      tryReading(cluster.servers().get(i % 2));
      LockSupport.parkNanos(READ_PAUSE_NANOS);
    }
    return null;
  }

  /** A complete answer must be right; others must be marked incomplete. */
  private void tryReading(ServerProcess server) throws InterruptedException {
    try {
      batches.checkNow(server);
      wholeReads.incrementAndGet();
    } catch (IOException e) {
      refusedReads.incrementAndGet();
    }
  }

  /** All is acknowledged, and late events of the writer that is ahead are due. */
  private void settle() throws Exception {
    cluster.restartNode();
    cluster.join();
    awaitMarks();
    pass(QUIET);
    Future<?> other = cluster.begin(() -> seal(1, this::goOn));
    seal(0, this::goOn);
    other.get();
  }

  private void check(PushedBatches some) throws Exception {
    assertThat(some.open()).isZero();
    for (ServerProcess server : cluster.servers()) {
      await().until(() -> isWhole(some, server));
    }
  }

  private boolean isWhole(PushedBatches some, ServerProcess server) throws InterruptedException {
    try {
      some.check(server);
      return true;
    } catch (IOException e) {
      refusedReads.incrementAndGet();
      return false;
    }
  }

  private void checkTail(FollowedTail tail) throws Exception {
    NumberedEvents events = batches.events();
    String path = "/api/v1/events?format=ndjson&limit=all&" + events.range();
    PatientClient client =
        new PatientClient(cluster.servers(), cluster.servers(), pushes, queries, 0);
    HttpResponse<String> answer =
        await().until(() -> client.ask(cluster.servers().get(0), path), Objects::nonNull);
    Set<String> ids =
        answer.body().lines().map(line -> line.substring(7, 43)).collect(Collectors.toSet());
    assertThat(ids).hasSize(batches.acknowledgedEvents());
    try {
      await().until(() -> new HashSet<>(tail.ids).containsAll(ids));
    } catch (ConditionTimeoutException e) {
      ids.removeAll(new HashSet<>(tail.ids));
      throw new AssertionError("not sent by the tail: " + ids, e);
    }
    assertThat(tail.others).as("beside events").isEmpty();
  }

  /** All rows of all rounds are sealed and cleaned up, and show the same. */
  private void finish() throws Exception {
    note("finish");
    cluster.awaitNodes();
    note("nodes are back");
    await()
        .pollInterval(Duration.ofMillis(200))
        .until(
            () -> {
              seal(0, this::goOn);
              return cluster.sealer(0).isSettled();
            });
    for (PushedBatches some : rounds) {
      check(some);
    }
    note("checked");
    System.out.printf(
        "%s%nsealers reached %s,%nand died at %s%nreads: %d whole, %d refused%n%s%n%s%n",
        trace,
        reached,
        deaths,
        wholeReads.get(),
        refusedReads.get(),
        pushes.since(startNanos),
        queries.since(startNanos));
    assertThat(reached.keySet()).containsAll(cluster.sealer(0).steps());
    assertThat(deaths.size())
        .as("steps at which sealers died")
        .isGreaterThanOrEqualTo(Tier.length(1, 1, cluster.sealer(0).steps().size()));
    assertThat(wholeReads.get()).isPositive();
    for (ServerProcess server : cluster.servers()) {
      assertThat(server.log()).doesNotContain(" ERROR ");
    }
  }

  private <T> T random(List<T> some) {
    return some.get(random.nextInt(some.size()));
  }
}
