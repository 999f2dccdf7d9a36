package hourglass.query.scan;

import hourglass.query.fair.QueryThread;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * Runs reads of a query, or parts of it, a bounded number at the same time. The thread of the query
 * begins them, and takes their results in the same order, so that an answer does not depend on the
 * one that ends first. Used by one thread.
 */
public final class FanOut {
  private final IntSupplier widthMax;
  private final QueryThread thread;

  /** Those whose results are not taken, in the order of their begin. */
  private final Queue<Begun<?>> begun = new ArrayDeque<>();

  private record Begun<R>(CompletableFuture<R> work, Consumer<R> taker) {
    void take(QueryThread thread) {
      taker.accept(thread.await(work));
    }
  }

  /** The {@code widthMax} is at least 1. */
  public FanOut(int widthMax, QueryThread thread) {
    this(() -> widthMax, thread);
  }

  /** The {@code widthMax} may change over time, and is at least 1. */
  public FanOut(IntSupplier widthMax, QueryThread thread) {
    this.widthMax = widthMax;
    this.thread = thread;
  }

  /**
   * Begins work. Waits first if as much is under way as the width allows, or if twice as many
   * results wait for one before them.
   *
   * @throws CompletionException if earlier work failed
   */
  public <R> void begin(Supplier<CompletionStage<R>> work, Consumer<R> taker) {
    while (underWay() >= widthMax.getAsInt() || begun.size() >= 2 * widthMax.getAsInt()) {
      awaitSome();
    }
    thread.check();
    begun.add(new Begun<>(work.get().toCompletableFuture(), taker));
  }

  /** Takes the first result if it is there. Otherwise waits until any work ends. */
  private void awaitSome() {
    CompletableFuture<?>[] unfinished = unfinished(); // read once: work ends at any time
    if (begun.element().work.isDone() || begun.size() >= 2 * widthMax.getAsInt()) {
      begun.remove().take(thread);
    } else if (unfinished.length > 0) { // else all has ended since the first was looked at
      thread.await(CompletableFuture.anyOf(unfinished));
    }
  }

  /** Waits for all work, and takes the results that are left. */
  public void finish() {
    while (!begun.isEmpty()) {
      begun.remove().take(thread);
    }
  }

  /** The amount of work that has begun and not ended. */
  public int underWay() {
    return unfinished().length;
  }

  private CompletableFuture<?>[] unfinished() {
    return begun.stream()
        .map(Begun::work)
        .filter(work -> !work.isDone())
        .toArray(CompletableFuture<?>[]::new);
  }
}
