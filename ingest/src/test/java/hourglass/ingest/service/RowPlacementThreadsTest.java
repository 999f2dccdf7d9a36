package hourglass.ingest.service;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.PlannerOptions;
import hourglass.bucketing.shards.ShardClaim;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.ForwardingStore;
import hourglass.store.WideColumnStore;
import hourglass.store.testkit.OracleStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Threads that handle the answer to a claim, and waiters that they must wake. */
class RowPlacementThreadsTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");
  private static final PlannerOptions NARROW = new PlannerOptions(100, 1 << 20, 0);

  private final ExecutorService pool = Executors.newFixedThreadPool(4);

  /** Answers claims later, on other threads or by the test. */
  private static final class LaterStore extends ForwardingStore {
    private final WideColumnStore oracle = new OracleStore();
    private final Executor answers;

    private LaterStore(Executor answers) {
      this.answers = answers;
    }

    @Override
    protected WideColumnStore delegate() {
      return oracle;
    }

    @Override
    public CompletionStage<List<ShardClaim>> claim(TypeHour typeHour, List<ShardClaim> published) {
      return CompletableFuture.supplyAsync(
          () -> oracle.claim(typeHour, published).toCompletableFuture().join(), answers);
    }
  }

  @AfterEach
  void close() {
    pool.shutdownNow();
  }

  private static RowPlacement planning(WideColumnStore store, Executor workers) {
    return new RowPlacement(
        store, NARROW, Clock.systemUTC(), System::nanoTime, workers, new SimpleMeterRegistry());
  }

  private static CompletableFuture<Void> place(RowPlacement rows, int count) {
    ColumnsBuilder columns = new ColumnsBuilder(count, 0);
    for (int i = 0; i < count; i++) {
      columns.add(HOUR.startTicks() + i, 0, new byte[0], 0, 0);
    }
    Columns built = columns.build();
    return rows.place(List.of(new PendingWrite.Batch(new TypeHour(HOUR, "t"), built)))
        .toCompletableFuture();
  }

  @Test
  void answerIsHandledByWorkers() {
    Queue<Runnable> answers = new ArrayDeque<>();
    Queue<Runnable> work = new ArrayDeque<>();
    RowPlacement rows = planning(new LaterStore(answers::add), work::add);
    CompletableFuture<Void> placed = place(rows, 50);
    answers.remove().run();
    assertThat(placed).as("by the thread that answered").isNotDone();
    while (!work.isEmpty()) {
      work.remove().run();
    }
    assertThat(placed).isCompleted();
  }

  @Test
  void aClaimAnsweredAfterShutdownCompletesTheWrite() {
    Queue<Runnable> answers = new ArrayDeque<>();
    RowPlacement rows =
        planning(
            new LaterStore(answers::add),
            work -> {
              throw new RejectedExecutionException();
            });
    CompletableFuture<Void> placed = place(rows, 50);
    answers.remove().run();
    assertThat(placed).isCompleted();
  }

  @Test
  void everyWaitingWriteIsPlaced() {
    RowPlacement rows = planning(new LaterStore(pool), pool);
    List<CompletableFuture<Void>> pushes = new ArrayList<>();
    for (int writer = 0; writer < 4; writer++) {
      pushes.add(
          CompletableFuture.supplyAsync(() -> placeMany(rows), pool).thenCompose(all -> all));
    }
    assertThat(all(pushes)).succeedsWithin(Duration.ofMinutes(1));
  }

  private static CompletableFuture<Void> placeMany(RowPlacement rows) {
    List<CompletableFuture<Void>> placed = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      placed.add(place(rows, 1 + i % 30));
    }
    return all(placed);
  }

  private static CompletableFuture<Void> all(List<CompletableFuture<Void>> futures) {
    return CompletableFuture.allOf(futures.toArray(new CompletableFuture<?>[0]));
  }
}
