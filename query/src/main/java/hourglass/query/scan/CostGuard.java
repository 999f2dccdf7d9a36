package hourglass.query.scan;

import hourglass.bucketing.Hour;
import hourglass.query.EventQuery;
import hourglass.query.Plan;
import hourglass.query.QueryOptions;
import hourglass.query.TooCostlyException;
import hourglass.store.RowEntry;
import hourglass.store.WideColumnStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/**
 * Keeps an event query within its bounds. A query without a limit reads its whole range, so the
 * guard checks all directories before the first slice. A query with a limit may end in the first
 * hour of a long range. It is refused only once the hours that it has reached have too many rows,
 * or it has read too many bytes. Thread-safe.
 */
final class CostGuard {
  /** A few MB of directories; later ones are read again. */
  private static final int ROWS_KEPT_MAX = 4_096;

  private final EventQuery query;
  private final QueryOptions options;
  private final LongSupplier bytesWalked;

  /** The costs of the hours seen so far. Guarded by this. */
  private final HourCosts costs;

  /** Directories that were checked, each until its hour is read. Guarded by this. */
  private final Map<Hour, List<RowEntry>> kept = new HashMap<>();

  private int rowsKept;

  /** Whether all hours were checked before the first was read. Guarded by this. */
  private boolean checked;

  /**
   * @param bytesWalked payload bytes that the query has reached so far
   */
  CostGuard(EventQuery query, QueryOptions options, LongSupplier bytesWalked) {
    this.query = query;
    this.options = options;
    this.bytesWalked = bytesWalked;
    costs = new HourCosts(query, options.bounds());
  }

  /**
   * Checks all hours of a query without a limit.
   *
   * @return the hours; fails with {@link TooCostlyException}
   */
  CompletionStage<List<Hour>> check(List<Hour> hours, StoreAccess access) {
    if (hours.size() < 2) {
      return CompletableFuture.completedFuture(hours); // enter() checks a single hour
    }
    return FanOut.forEach(
            hours,
            options.fanOut(),
            access,
            hour ->
                access
                    .store()
                    .rows(hour)
                    .thenAccept(rows -> look(hour, query.selection().of(rows))))
        .thenApply(
            done -> {
              checkAll();
              return hours;
            });
  }

  private synchronized void look(Hour hour, List<RowEntry> rows) {
    costs.put(hour, rows);
    if (rowsKept + rows.size() <= ROWS_KEPT_MAX) {
      rowsKept += rows.size();
      kept.put(hour, rows);
    }
  }

  /** The rows of an hour to read: from a checked directory, or else from the store. */
  CompletionStage<List<RowEntry>> rows(Hour hour, WideColumnStore store) {
    List<RowEntry> known;
    synchronized (this) {
      known = kept.remove(hour);
    }
    return known == null ? store.rows(hour) : CompletableFuture.completedFuture(known);
  }

  private synchronized void checkAll() {
    checked = true;
    costs.check();
  }

  /** Whether an hour may be prefetched: whether it fits the bounds. */
  synchronized boolean mayEnter(Plan hour) {
    return checked || costs.fits(hour);
  }

  /**
   * Checks an hour before it is read. May be called repeatedly.
   *
   * @param rows the wanted rows of the hour
   * @throws TooCostlyException if the hour exceeds the bounds
   */
  synchronized void enter(Hour hour, List<RowEntry> rows) {
    if (checked) {
      return; // rows written since the check are allowed
    }
    costs.put(hour, rows);
    if (query.isLimited()) {
      costs.checkRows();
    } else {
      costs.check();
    }
  }

  /**
   * Checks the bytes that were read.
   *
   * @throws TooCostlyException if they are too many for a query with a limit
   */
  void checkRead() {
    if (query.isLimited() && bytesWalked.getAsLong() > options.bounds().bytesMax()) {
      synchronized (this) {
        throw costs.readTooMuch(bytesWalked.getAsLong());
      }
    }
  }
}
