package hourglass.query.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import hourglass.access.FairExecutor;
import hourglass.bucketing.Hour;
import hourglass.query.Grouping;
import hourglass.query.HitsQuery;
import hourglass.query.QueryOptions;
import hourglass.query.Selection;
import hourglass.query.StatsQuery;
import hourglass.query.TimeRange;
import hourglass.query.fair.QueryThread;
import hourglass.store.testkit.OracleStore;
import hourglass.testing.Patience;
import hourglass.testing.Seed;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Counts of a query without a place, or that was cancelled, read nothing more from the store. */
class FairCountTest {
  private static final int HOURS = 4;
  private static final int THREADS = 2;

  private final OracleStore oracle = new OracleStore();
  private final HeldStore store = new HeldStore(oracle);
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private final List<Thread> loops = new CopyOnWriteArrayList<>();
  private final ExecutorService waiting = Executors.newCachedThreadPool(this::loop);
  private final FairExecutor.Lane lane =
      new FairExecutor(threads, 4, System::nanoTime).lane("client");
  private final AtomicBoolean gone = new AtomicBoolean();
  private final QueryService service =
      new QueryService(
              store,
              QueryOptions.builder().fanOut(2).storeTimeoutMillis(60_000).build(),
              Clock.systemUTC(),
              lane)
          .with(access -> access.on(lane, lane, waiting).until(gone::get));

  private Thread loop(Runnable work) {
    Thread thread = new Thread(work);
    loops.add(thread);
    return thread;
  }

  @AfterEach
  void close() {
    threads.shutdownNow();
    waiting.shutdownNow();
    store.close();
  }

  private Map<String, Function<QueryThread, ?>> counts() {
    Model model = new Model(oracle, Seed.random(this));
    model.addRandom(300, HOURS);
    TimeRange range =
        new TimeRange(
            Model.FIRST_HOUR.startTicks(),
            new Hour(Model.FIRST_HOUR.epochHours() + HOURS).startTicks());
    Selection all = new Selection(new TreeSet<>(), range, "");
    return Map.of(
        "types", thread -> service.types(all, false, thread),
        "hits",
            thread -> service.hits(new HitsQuery(all, 60_000, Grouping.OF_TYPES), false, thread),
        "stats",
            thread -> service.stats(new StatsQuery(all, "n", Grouping.OF_TYPES, 0), false, thread),
        "rows", thread -> service.rows(all, thread));
  }

  private CompletableFuture<?> start(Function<QueryThread, ?> count) {
    return QueryThread.start(waiting, lane, gone::get, count).toCompletableFuture();
  }

  /** The pause comes after any number of reads, in any part of the count. */
  @Test
  void aPausedCountReadsNothingUntilItResumes() {
    counts()
        .forEach(
            (name, count) -> {
              for (int answered = 0; answered < 12; answered++) {
                store.forget();
                CompletableFuture<?> running = start(count);
                for (int i = 0; i < answered && !running.isDone(); i++) {
                  store.answerOne();
                }
                if (!awaitHeld(running)) {
                  break; // no further reads are needed
                }
                pauseBetweenTasks();
                int asked = store.asked();
                store.answerHeld();
                assertThat(store.asked()).as("%s, %s", name, answered).isEqualTo(asked);
                lane.resume();
                store.answerAll(running);
                assertThat(running).as(name).isCompleted();
              }
            });
  }

  private boolean awaitHeld(CompletableFuture<?> running) {
    await().pollInterval(Duration.ofMillis(1)).until(() -> running.isDone() || store.isHolding());
    return !running.isDone();
  }

  /** A turn continues to its end, and may read until then: all threads must wait. */
  private void pauseBetweenTasks() {
    lane.pause();
    await().until(() -> loops.stream().allMatch(FairCountTest::isWaiting));
    CyclicBarrier free = new CyclicBarrier(THREADS + 1);
    for (int i = 0; i < THREADS; i++) {
      threads.execute(() -> meet(free));
    }
    meet(free);
  }

  private static boolean isWaiting(Thread thread) {
    return switch (thread.getState()) {
      case WAITING, TIMED_WAITING, TERMINATED -> true;
      default -> false;
    };
  }

  private static void meet(CyclicBarrier barrier) {
    try {
      barrier.await(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void anAbandonedCountFailsAndReadsNothingMore() {
    counts()
        .forEach(
            (name, count) -> {
              gone.set(false);
              store.forget();
              CompletableFuture<?> running = start(count);
              store.answerOne();
              store.answerOne();
              await().pollInterval(Duration.ofMillis(1)).until(() -> store.isHolding());
              gone.set(true);
              store.answerAll(running);
              assertThatThrownBy(running::join)
                  .as(name)
                  .hasRootCauseInstanceOf(CancellationException.class);
            });
  }
}
