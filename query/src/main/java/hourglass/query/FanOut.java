package hourglass.query;

import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs an asynchronous task for each item, a bounded number of them at a time; the first failure
 * ends it all. Thread-safe.
 */
final class FanOut<T> {
  private final Iterator<T> items;
  private final Function<T, CompletionStage<?>> task;
  private final CompletableFuture<Void> done = new CompletableFuture<>();

  /** Guards the items and the number under way. */
  private final Object lock = new Object();

  private int underWay;

  private FanOut(Iterator<T> items, Function<T, CompletionStage<?>> task) {
    this.items = items;
    this.task = task;
  }

  /**
   * Starts the tasks.
   *
   * @param widthMax tasks at a time, at least 1
   * @param task never throws; its stage may fail
   * @return completes when every task has, or exceptionally with the first failure
   */
  static <T> CompletionStage<Void> forEach(
      Iterable<T> items, int widthMax, Function<T, CompletionStage<?>> task) {
    FanOut<T> fanOut = new FanOut<>(items.iterator(), task);
    synchronized (fanOut.lock) {
      fanOut.underWay = widthMax;
    }
    for (int lane = 0; lane < widthMax; lane++) {
      fanOut.run();
    }
    return fanOut.done;
  }

  /** One lane: tasks one after the other; a loop where they complete at once. */
  private void run() {
    while (true) {
      T item;
      synchronized (lock) {
        if (done.isCompletedExceptionally() || !items.hasNext()) {
          underWay--;
          break;
        }
        item = items.next();
      }
      CompletionStage<?> stage = task.apply(item);
      boolean later = !stage.toCompletableFuture().isDone();
      stage.whenComplete((answer, failure) -> completed(failure, later));
      if (later) {
        return;
      }
    }
    boolean last;
    synchronized (lock) {
      last = underWay == 0;
    }
    if (last) {
      done.complete(null);
    }
  }

  private void completed(@Nullable Throwable failure, boolean later) {
    if (failure != null) {
      done.completeExceptionally(failure);
    }
    if (later) {
      run();
    }
  }
}
