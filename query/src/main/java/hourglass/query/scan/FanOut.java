package hourglass.query.scan;

import com.google.common.collect.Streams;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs an asynchronous task for each item, a bounded number at a time, up to the first failure.
 * Tasks start in the calling thread for one turn, and then on the query's executor: never in a
 * thread of the store, or while the query has no place. Tasks that compute in the thread that
 * starts them are spread over the threads of the executor. Thread-safe.
 */
public final class FanOut<T> {
  /** The longest time for which tasks may hold a thread before other queries have a turn. */
  private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final Function<T, CompletionStage<?>> task;
  private final StoreAccess access;
  private final CompletableFuture<Void> done = new CompletableFuture<>();

  // Guarded by this:
  private final Iterator<T> items;
  private int lanesLeft;
  private int underWay;

  private FanOut(
      Iterator<T> items, int widthMax, StoreAccess access, Function<T, CompletionStage<?>> task) {
    this.items = items;
    this.task = task;
    this.access = access;
    lanesLeft = widthMax - 1;
  }

  /**
   * Runs a task for each item. The stage completes after all tasks, or with the first failure.
   *
   * @param widthMax at least 1
   * @param task may throw, and its stage may fail
   */
  public static <T> CompletionStage<Void> forEach(
      Iterable<T> items, int widthMax, StoreAccess access, Function<T, CompletionStage<?>> task) {
    FanOut<T> fanOut = new FanOut<>(items.iterator(), widthMax, access, task);
    do {
      fanOut.run();
    } while (fanOut.beginsLane());
    return fanOut.done;
  }

  /**
   * Runs long tasks that compute in the thread that starts them. All lanes start at once; with
   * {@link #forEach}, further lanes start only after a first task has shown that it computes.
   */
  public static <T> CompletionStage<Void> forEachSpread(
      Iterable<T> items, int widthMax, StoreAccess access, Function<T, CompletionStage<?>> task) {
    FanOut<T> fanOut = new FanOut<>(items.iterator(), widthMax, access, task);
    while (fanOut.beginsLane()) {
      fanOut.runLater();
    }
    fanOut.run();
    return fanOut.done;
  }

  /**
   * Runs tasks like {@link #forEach}, and passes the results on in the order of the items, one at a
   * time, so that a result built from them does not depend on which task ends first. A task that is
   * far ahead of the others ends only when its turn is near: at most {@code 2 * widthMax} results
   * wait.
   */
  public static <T, R> CompletionStage<Void> forEachInOrder(
      Iterable<T> items,
      int widthMax,
      StoreAccess access,
      Function<T, CompletionStage<R>> task,
      Consumer<R> results) {
    ResultsInOrder<R> order = new ResultsInOrder<>(widthMax, results);
    AtomicLong numbers = new AtomicLong();
    return forEach(
        () ->
            Streams.stream(items)
                .map(item -> new Numbered<>(item, numbers.getAndIncrement()))
                .iterator(),
        widthMax,
        access,
        item -> task.apply(item.item).thenCompose(result -> order.put(item.number, result)));
  }

  private record Numbered<T>(T item, long number) {}

  /** Whether one more lane has work; if so, the caller begins it. */
  private synchronized boolean beginsLane() {
    if (lanesLeft == 0 || done.isDone() || !items.hasNext()) {
      return false;
    }
    lanesLeft--;
    return true;
  }

  private void run() {
    long beginNanos = System.nanoTime();
    while (System.nanoTime() - beginNanos < TURN_NANOS) {
      T item = next();
      if (item == null) {
        return;
      }
      CompletionStage<?> stage = begin(item);
      boolean later = !stage.toCompletableFuture().isDone();
      stage.whenComplete((answer, failure) -> completed(failure, later));
      if (later) {
        return;
      }
      if (beginsLane()) {
        runLater();
      }
    }
    runLater();
  }

  private CompletionStage<?> begin(T item) {
    if (access.gone().getAsBoolean()) {
      return CompletableFuture.failedFuture(StoreAccess.givenUp());
    }
    try {
      return task.apply(item);
    } catch (RuntimeException | Error e) { // the executor would drop it unseen
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Returns the next item; null if none is left. Completes the stage after the last task. */
  private @Nullable T next() {
    synchronized (this) {
      if (!done.isDone() && items.hasNext()) {
        underWay++;
        return items.next();
      }
      if (underWay > 0) {
        return null;
      }
    }
    done.complete(null);
    return null;
  }

  private void completed(@Nullable Throwable failure, boolean later) {
    synchronized (this) {
      underWay--;
    }
    if (failure != null) {
      done.completeExceptionally(failure);
    }
    if (later) {
      runLater();
    }
  }

  private void runLater() {
    try {
      access.executor().execute(this::run);
    } catch (RejectedExecutionException e) {
      done.completeExceptionally(e); // the server stops
    }
  }
}
