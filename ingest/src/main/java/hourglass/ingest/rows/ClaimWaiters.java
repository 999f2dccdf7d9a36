package hourglass.ingest.rows;

import hourglass.bucketing.TypeHour;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Columns without a row, until the next answer for their hour and type. Answers are counted: who
 * begins to wait, and finds that one came since it last looked for room, has to look again, as
 * nobody else would see to it. Thread-safe.
 */
final class ClaimWaiters {
  /** By the hashes of hours and types; a count that others share costs a look in vain. */
  private static final int COUNTS = 1024;

  private final Map<TypeHour, List<Waiter>> waiters = new ConcurrentHashMap<>();
  private final AtomicLongArray answers = new AtomicLongArray(COUNTS);

  /**
   * @param placed completes once all of the columns have a row
   */
  record Waiter(PendingBatch columns, CompletableFuture<Void> placed) {
    Waiter(PendingBatch columns) {
      this(columns, new CompletableFuture<>());
    }

    TypeHour of() {
      return columns.typeHour();
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

  /** All that wait, in the order in which they came; they wait no longer. */
  List<Waiter> take(TypeHour of) {
    List<Waiter> taken = waiters.remove(of);
    return taken == null ? List.of() : taken;
  }

  /** An answer came; count it after the planner has it, and before those that wait are taken. */
  void answered(TypeHour of) {
    answers.incrementAndGet(count(of));
  }

  /** Grows with each answer. */
  long answers(TypeHour of) {
    return answers.get(count(of));
  }

  private static int count(TypeHour of) {
    return Math.floorMod(of.hashCode(), COUNTS);
  }
}
