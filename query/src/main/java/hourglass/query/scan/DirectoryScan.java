package hourglass.query.scan;

import hourglass.bucketing.Hour;
import hourglass.query.Selection;
import hourglass.query.TimeRange;
import hourglass.store.RowEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Visits the directory of every hour of a range, several in parallel. All calls together, including
 * those for the rows, stay within the fan-out of a query. Hours that exceed the shared memory are
 * visited one at a time, after the others. Thread-safe.
 */
public final class DirectoryScan {
  /** The approximate memory of a row in a directory and in lists. */
  public static final long ROW_BYTES = 160;

  /** The maximum memory of the directories that are visited in parallel. */
  private static final long SIDE_BY_SIDE_BYTES = 2 << 20;

  private final StoreAccess access;
  private final int fanOut;
  private final CountedRows counted;

  /**
   * @param fanOut maximum number of calls at a time
   * @param counted counts the rows that are visited
   */
  public DirectoryScan(StoreAccess access, int fanOut, CountedRows counted) {
    this.access = access;
    this.counted = counted;
    this.fanOut = fanOut;
  }

  /**
   * Visits each hour.
   *
   * @param visit takes an hour, its wanted rows sorted by key, and its maximum number of parallel
   *     calls
   */
  public CompletionStage<Void> forEachHour(Selection selection, HourVisit visit) {
    TimeRange range = selection.range();
    if (range.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    return access
        .store()
        .hours(range.firstHour(), range.lastHour())
        .thenComposeAsync(hours -> new Visits(selection, visit).all(hours), access.executor());
  }

  /** Visits each type that has wanted rows in an hour. */
  public CompletionStage<Void> forEachType(Selection selection, TypeVisit visit) {
    return forEachHour(
        selection,
        (hour, rows, callsMax) ->
            FanOut.forEach(
                TypedRows.group(rows), callsMax, access, typed -> visit.visit(hour, typed)));
  }

  private final class Visits {
    private final Selection selection;
    private final HourVisit visit;
    private final Queue<Hour> later = new ConcurrentLinkedQueue<>();

    /** The memory of the directories in parallel visits. Guarded by this. */
    private long held;

    Visits(Selection selection, HourVisit visit) {
      this.selection = selection;
      this.visit = visit;
    }

    CompletionStage<Void> all(List<Hour> hours) {
      int hoursAtOnce = Math.max(1, Math.min(hours.size(), fanOut));
      int callsAnHour = Math.max(1, fanOut / hoursAtOnce);
      return FanOut.forEach(hours, hoursAtOnce, access, hour -> sideBySide(hour, callsAnHour))
          .thenCompose(
              done -> {
                List<Hour> large = new ArrayList<>(later);
                return FanOut.forEach(large, 1, access, this::alone);
              });
    }

    private CompletionStage<?> sideBySide(Hour hour, int callsMax) {
      return rows(hour)
          .thenComposeAsync(
              rows -> {
                if (!hold(ROW_BYTES * rows.size())) {
                  later.add(hour); // its directory is read again
                  return CompletableFuture.completedFuture(null);
                }
                counted.add(rows.size());
                return visit
                    .visit(hour, rows, callsMax)
                    .whenComplete((done, failure) -> release(ROW_BYTES * rows.size()));
              },
              access.executor());
    }

    private CompletionStage<?> alone(Hour hour) {
      return rows(hour)
          .thenComposeAsync(
              rows -> {
                access.account().take(ROW_BYTES * rows.size());
                counted.add(rows.size());
                return visit
                    .visit(hour, rows, fanOut)
                    .whenComplete(
                        (done, failure) -> access.account().give(ROW_BYTES * rows.size()));
              },
              access.executor());
    }

    private synchronized boolean hold(long bytes) {
      if (held + bytes > SIDE_BY_SIDE_BYTES || !access.account().tryTake(bytes)) {
        return false;
      }
      held += bytes;
      return true;
    }

    private synchronized void release(long bytes) {
      held -= bytes;
      access.account().give(bytes);
    }

    private CompletionStage<List<RowEntry>> rows(Hour hour) {
      return access.store().rows(hour).thenApply(selection::of);
    }
  }

  /** Processes the rows of a type in an hour. */
  @FunctionalInterface
  public interface TypeVisit {
    CompletionStage<?> visit(Hour hour, TypedRows rows);
  }

  /** Processes the rows of an hour. */
  @FunctionalInterface
  public interface HourVisit {
    CompletionStage<?> visit(Hour hour, List<RowEntry> rows, int callsMax);
  }
}
