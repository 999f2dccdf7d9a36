package hourglass.query.scan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Passes results of numbered tasks on in the order of their numbers. Thread-safe. */
final class ResultsInOrder<R> {
  private final int aheadMax;
  private final Consumer<R> taker;

  // Guarded by this:
  private final Map<Long, R> waiting = new HashMap<>();
  private final TreeMap<Long, CompletableFuture<Void>> ahead = new TreeMap<>();
  private long next;

  /** The taker is called by one thread at a time, and must not call back. */
  ResultsInOrder(int aheadMax, Consumer<R> taker) {
    this.aheadMax = aheadMax;
    this.taker = taker;
  }

  /**
   * Passes a result on, after all that have smaller numbers.
   *
   * @param number from 0, each once and without gaps
   * @return completes once fewer than {@code aheadMax} numbers are missing before this one
   */
  CompletionStage<Void> put(long number, R result) {
    CompletableFuture<Void> isNear = new CompletableFuture<>();
    for (CompletableFuture<Void> near : putAndFree(number, result, isNear)) {
      near.complete(null); // without the lock, since other work follows
    }
    return isNear;
  }

  private synchronized List<CompletableFuture<Void>> putAndFree(
      long number, R result, CompletableFuture<Void> isNear) {
    waiting.put(number, result);
    ahead.put(number, isNear);
    for (R first = waiting.remove(next); first != null; first = waiting.remove(next)) {
      taker.accept(first);
      next++;
    }
    Map<Long, CompletableFuture<Void>> near = ahead.headMap(next + aheadMax);
    List<CompletableFuture<Void>> free = new ArrayList<>(near.values());
    near.clear();
    return free;
  }
}
