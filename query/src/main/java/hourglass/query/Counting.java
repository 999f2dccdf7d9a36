package hourglass.query;

import hourglass.bucketing.Hour;
import hourglass.store.RowEntry;
import hourglass.store.WideColumnStore;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;

/**
 * Visits the directory of every hour of a range, several at a time, and within an hour what its
 * rows call for, so that all calls together stay within the fan-out of a query. Thread-safe.
 */
final class Counting {
  private final WideColumnStore store;
  private final int fanOut;
  private final BooleanSupplier gone;

  Counting(WideColumnStore store, int fanOut) {
    this(store, fanOut, () -> false);
  }

  private Counting(WideColumnStore store, int fanOut, BooleanSupplier gone) {
    this.store = store;
    this.fanOut = fanOut;
    this.gone = gone;
  }

  /**
   * The same for one question.
   *
   * @param nobodyWaits asked before each hour; then the question ends with a {@link
   *     CancellationException}
   */
  Counting until(BooleanSupplier nobodyWaits) {
    return new Counting(store, fanOut, nobodyWaits);
  }

  /**
   * @param visit takes an hour with its wanted rows, sorted by key, and how many calls it may make
   *     at a time
   */
  CompletionStage<Void> forEachHour(Selection selection, HourVisit visit) {
    TimeRange range = selection.range();
    if (range.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    return store
        .hours(range.firstHour(), range.lastHour())
        .thenCompose(hours -> visitAll(hours, selection, visit));
  }

  private CompletionStage<Void> visitAll(List<Hour> hours, Selection selection, HourVisit visit) {
    int hoursAtOnce = Math.max(1, Math.min(hours.size(), fanOut));
    int callsAnHour = Math.max(1, fanOut / hoursAtOnce);
    return FanOut.forEach(
        hours,
        hoursAtOnce,
        hour -> rows(hour).thenCompose(rows -> visit.visit(hour, selection.of(rows), callsAnHour)));
  }

  private CompletionStage<List<RowEntry>> rows(Hour hour) {
    return gone.getAsBoolean()
        ? CompletableFuture.failedFuture(new CancellationException("nobody waits"))
        : store.rows(hour);
  }

  /** What to do with the rows of an hour. */
  @FunctionalInterface
  interface HourVisit {
    CompletionStage<?> visit(Hour hour, List<RowEntry> rows, int callsMax);
  }
}
