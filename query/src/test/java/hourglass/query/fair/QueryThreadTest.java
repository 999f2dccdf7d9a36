package hourglass.query.fair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import hourglass.access.FairExecutor;
import hourglass.access.FairExecutor.Lane;
import hourglass.testing.Patience;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class QueryThreadTest {
  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** A client has one turn at a time. */
  private final FairExecutor executor = new FairExecutor(threads, 1, System::nanoTime);

  private final Lane lane = executor.lane("client");
  private final AtomicBoolean gone = new AtomicBoolean();
  private final CompletableFuture<String> stage = new CompletableFuture<>();

  @AfterEach
  void close() {
    threads.shutdownNow();
  }

  private static <T> T get(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS);
  }

  @Test
  void waitingThreadHasNoTurn() throws Exception {
    CompletableFuture<String> found = new CompletableFuture<>();
    CompletionStage<Boolean> query =
        QueryThread.start(threads, lane, gone::get, thread -> found.complete(thread.await(stage)));
    CompletableFuture<Void> other = new CompletableFuture<>();
    executor.lane("client").execute(() -> other.complete(null));
    get(other);
    stage.complete("slice");
    get(query);
    assertThat(get(found)).isEqualTo("slice");
  }

  @Test
  void failureOfTheStageIsThrown() {
    stage.completeExceptionally(new IllegalStateException("lost"));
    QueryThread thread = new QueryThread(lane, gone::get, () -> {});
    assertThatThrownBy(() -> thread.run(() -> thread.await(stage)))
        .isInstanceOf(CompletionException.class)
        .hasMessageContaining("lost");
  }

  /** Even if nothing wakes it. */
  @Test
  void goneQueryEndsItsWait() {
    CompletionStage<String> query =
        QueryThread.start(threads, lane, gone::get, thread -> thread.await(stage));
    gone.set(true);
    assertThatThrownBy(() -> get(query)).hasCauseInstanceOf(CancellationException.class);
  }

  @Test
  void longWorkGivesOthersTurns() throws Exception {
    AtomicBoolean isOver = new AtomicBoolean();
    AtomicInteger idle = new AtomicInteger();
    QueryThread thread = new QueryThread(lane, gone::get, idle::incrementAndGet);
    threads.execute(
        () ->
            thread.run(
                () -> {
                  while (!isOver.get()) {
                    thread.worked(1);
                  }
                }));
    CompletableFuture<Void> other = new CompletableFuture<>();
    await().until(() -> idle.get() > 0);
    executor.lane("client").execute(() -> other.complete(null));
    get(other);
    isOver.set(true);
  }

  @Test
  void pausedLaneHoldsTheThreadBack() throws Exception {
    AtomicInteger steps = new AtomicInteger();
    CompletionStage<Integer> query =
        QueryThread.start(
            threads,
            lane,
            gone::get,
            thread -> {
              steps.incrementAndGet();
              thread.await(stage);
              return steps.incrementAndGet();
            });
    await().until(() -> steps.get() == 1);
    lane.pause();
    stage.complete("slice");
    CompletableFuture<Void> other = new CompletableFuture<>();
    executor.lane("client").execute(() -> other.complete(null));
    get(other);
    assertThat(steps).hasValue(1);
    lane.resume();
    get(query);
    assertThat(steps).hasValue(2);
  }
}
