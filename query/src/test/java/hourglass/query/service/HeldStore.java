package hourglass.query.service;

import hourglass.bucketing.Hour;
import hourglass.store.CountQuery;
import hourglass.store.ForwardingStore;
import hourglass.store.RowCounts;
import hourglass.store.RowEntry;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.WideColumnStore;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.awaitility.Awaitility;

/** A store whose reads are answered on the test's request, in the thread of the test. */
final class HeldStore extends ForwardingStore {
  private final WideColumnStore store;
  private final Queue<Runnable> held = new ConcurrentLinkedQueue<>();
  private final AtomicInteger asked = new AtomicInteger();

  HeldStore(WideColumnStore store) {
    this.store = store;
  }

  @Override
  protected WideColumnStore delegate() {
    return store;
  }

  private <T> CompletionStage<T> hold(Supplier<CompletionStage<T>> call) {
    asked.incrementAndGet();
    CompletableFuture<Void> answer = new CompletableFuture<>();
    held.add(() -> answer.complete(null));
    return answer.thenApply(ignored -> call.get()).thenCompose(Function.identity());
  }

  @Override
  public CompletionStage<RowCounts> count(CountQuery query) {
    return hold(() -> store.count(query));
  }

  @Override
  public CompletionStage<Slice> slice(SliceQuery query) {
    return hold(() -> store.slice(query));
  }

  @Override
  public CompletionStage<List<RowEntry>> rows(Hour hour) {
    return hold(() -> store.rows(hour));
  }

  @Override
  public CompletionStage<List<Hour>> hours(Hour from, Hour to) {
    return hold(() -> store.hours(from, to));
  }

  int asked() {
    return asked.get();
  }

  boolean isHolding() {
    return !held.isEmpty();
  }

  /** Leaves the reads so far without an answer. */
  void forget() {
    held.clear();
  }

  /** Answers the reads so far, and those that follow from them in this thread. */
  void answerHeld() {
    for (Runnable next = held.poll(); next != null; next = held.poll()) {
      next.run();
    }
  }

  /** Waits for a read first. */
  void answerOne() {
    Awaitility.await().pollInterval(Duration.ofMillis(1)).until(() -> !held.isEmpty());
    held.remove().run();
  }

  void answerAll(CompletableFuture<?> until) {
    while (!until.isDone()) {
      answerHeld();
    }
  }
}
