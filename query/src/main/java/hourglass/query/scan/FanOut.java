package hourglass.query.scan;

import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs an asynchronous task for each item, a bounded number at a time, up to the first failure.
 * Tasks start in the calling thread for one turn, and then on the query's executor: never in a
 * thread of the store, or while the query has no place. Tasks that compute in their thread are
 * spread over the threads of the executor. Thread-safe.
 */
public final class FanOut<T> {
  /** How long tasks may hold a thread before other queries have a turn. */
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
   * Completes once every task has, or with the first failure.
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
   * As {@link #forEach}, for long tasks that compute in their thread: all lanes start at once, not
   * only after a first task has shown that it computes.
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

  /** Whether there is work for one more lane. */
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

  /** Null if no item is left; completes after the last task. */
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
