package hourglass.ingest.rows;

import hourglass.bucketing.TypeHour;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Batches that wait for the answer to a claim of their type hour. Answers are counted: a batch that
 * starts to wait must try again if an answer arrived since its last try, because nothing else would
 * wake it. Thread-safe.
 */
final class ClaimWaiters {
  /** Indexed by hash. A shared count costs a needless try. */
  private static final int COUNTS = 1024;

  private final Map<TypeHour, List<Waiter>> waiters = new ConcurrentHashMap<>();
  private final AtomicLongArray answers = new AtomicLongArray(COUNTS);

  /**
   * @param placed completes when all columns have rows
   */
  record Waiter(PendingBatch batch, CompletableFuture<Void> placed) {
    Waiter(PendingBatch batch) {
      this(batch, new CompletableFuture<>());
    }

    TypeHour of() {
      return batch.typeHour();
    }
  }

  void add(Waiter waiter) {
    waiters.compute(
        waiter.of(),
        (of, before) -> {
          List<Waiter> all = before == null ? new ArrayList<>() : before;
          all.add(waiter);
          return all;
        });
  }

  boolean has(TypeHour of) {
    return waiters.containsKey(of);
  }

  /** Removes all that wait, oldest first. */
  List<Waiter> take(TypeHour of) {
    List<Waiter> taken = waiters.remove(of);
    return taken == null ? List.of() : taken;
  }

  /** Counts an answer: after the planner has it, and before waiters are taken. */
  void countAnswer(TypeHour of) {
    answers.incrementAndGet(count(of));
  }

  /** The number of answers, possibly with those of other type hours. */
  long answers(TypeHour of) {
    return answers.get(count(of));
  }

  private static int count(TypeHour of) {
    return Math.floorMod(of.hashCode(), COUNTS);
  }
}
