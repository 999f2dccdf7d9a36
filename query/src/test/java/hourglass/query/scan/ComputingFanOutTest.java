package hourglass.query.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.query.QueryOptions;
import hourglass.store.testkit.OracleStore;
import hourglass.testing.Patience;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A fan-out over tasks that compute in the thread that starts them. */
class ComputingFanOutTest {
  private final ExecutorService threads = Executors.newFixedThreadPool(1);
  private final StoreAccess access =
      StoreAccess.of(new OracleStore(), QueryOptions.DEFAULTS, threads);

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  @Test
  void tasksComputeConcurrently() throws Exception {
    CyclicBarrier both = new CyclicBarrier(2);
    Queue<Integer> done = new ConcurrentLinkedQueue<>();
    FanOut.forEach(
            List.of(0, 1, 2),
            2,
            access,
            item -> {
              if (item > 0) { // the first shows that tasks compute
                meet(both);
              }
              done.add(item);
              return CompletableFuture.completedFuture(null);
            })
        .toCompletableFuture()
        .get(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS);
    assertThat(done).containsExactlyInAnyOrder(0, 1, 2);
  }

  @Test
  void spreadTasksComputeConcurrentlyFromTheFirstOn() throws Exception {
    CyclicBarrier both = new CyclicBarrier(2);
    FanOut.forEachSpread(
            List.of(0, 1),
            2,
            access,
            item -> {
              meet(both);
              return CompletableFuture.completedFuture(null);
            })
        .toCompletableFuture()
        .get(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS);
  }

  private static void meet(CyclicBarrier both) {
    try {
      both.await(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException("only one task at a time", e);
    }
  }

  private interface Way {
    CompletionStage<Void> forEach(
        Iterable<Integer> items,
        int widthMax,
        StoreAccess access,
        Function<Integer, CompletionStage<?>> task);
  }

  @Test
  void eachItemHasOneTask() throws Exception {
    for (int width = 1; width < 5; width++) {
      for (int items : new int[] {0, 1, 2, 1_000}) {
        checkEachItemHasOneTask(FanOut::forEach, width, items);
        checkEachItemHasOneTask(FanOut::forEachSpread, width, items);
      }
    }
  }

  private void checkEachItemHasOneTask(Way way, int width, int items) throws Exception {
    Queue<Integer> done = new ConcurrentLinkedQueue<>();
    way.forEach(
            IntStream.range(0, items).boxed().toList(),
            width,
            access,
            item -> {
              done.add(item);
              return item % 3 == 0
                  ? CompletableFuture.runAsync(() -> {}, threads)
                  : CompletableFuture.completedFuture(null);
            })
        .toCompletableFuture()
        .get(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS);
    assertThat(done).hasSize(items).doesNotHaveDuplicates();
  }

  @Test
  void aTaskThatThrowsInAnyThreadEndsTheFanOut() {
    for (int width = 1; width < 3; width++) {
      CompletableFuture<Void> done =
          FanOut.<Integer>forEach(
                  List.of(0, 1, 2, 3),
                  width,
                  access,
                  item -> {
                    if (item == 3) {
                      throw new IllegalStateException("task 3");
                    }
                    return CompletableFuture.runAsync(() -> {}, threads);
                  })
              .toCompletableFuture();
      assertThatThrownBy(() -> done.get(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS))
          .hasMessageContaining("task 3");
    }
  }

  @Test
  void theFirstFailureEndsTheFanOut() {
    Queue<Integer> done = new ConcurrentLinkedQueue<>();
    assertThatThrownBy(
            () ->
                FanOut.forEach(
                        List.of(0, 1, 2),
                        1,
                        access,
                        item -> {
                          done.add(item);
                          return item == 1
                              ? CompletableFuture.failedFuture(new IllegalStateException("away"))
                              : CompletableFuture.completedFuture(null);
                        })
                    .toCompletableFuture()
                    .get(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS))
        .hasRootCauseMessage("away");
    assertThat(done).containsExactly(0, 1);
  }

  @Test
  void anEmptyListCompletesAtOnce() {
    assertThat(FanOut.forEach(List.of(), 2, access, item -> CompletableFuture.failedStage(null)))
        .isDone();
  }
}
