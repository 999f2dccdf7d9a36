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
 * Keeps a query of events within its bounds. One that reads all of its range is refused before it
 * reads anything, by what the directory tells. One with a limit may end in the first hour of a long
 * range, so it is refused only when it goes on to an hour whose rows are too many, or has read too
 * many bytes. Thread-safe.
 */
final class CostGuard {
  /** A few MB; those beyond are asked for again. */
  private static final int ROWS_KEPT_MAX = 4_096;

  private final EventQuery query;
  private final QueryOptions options;
  private final LongSupplier bytesWalked;

  /** What was seen of the hours so far. Guarded by this. */
  private final HourCosts costs;

  /** Directories that were looked at, each until it is read. Guarded by this. */
  private final Map<Hour, List<RowEntry>> kept = new HashMap<>();

  private int rowsKept;

  /** Whether all hours were looked at before the first was read. Guarded by this. */
  private boolean checked;

  /**
   * @param bytesWalked payloads that it has come to so far
   */
  CostGuard(EventQuery query, QueryOptions options, LongSupplier bytesWalked) {
    this.query = query;
    this.options = options;
    this.bytesWalked = bytesWalked;
    costs = new HourCosts(query, options.bounds());
  }

  /**
   * Looks at all hours of a query without a limit.
   *
   * @return the hours; fails with {@link TooCostlyException}
   */
  CompletionStage<List<Hour>> check(List<Hour> hours, StoreAccess access) {
    if (hours.size() < 2) {
      return CompletableFuture.completedFuture(hours); // it is looked at when it is entered
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

  /** The rows of an hour that is to be read: what was looked at, or else what the store has. */
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

  /**
   * Whether an hour may be looked into ahead of need: whether it may be entered by what is known.
   */
  synchronized boolean mayEnter(Plan hour) {
    return checked || costs.fits(hour);
  }

  /**
   * Notes that an hour is about to be read; any number of times.
   *
   * @param rows those that are wanted of it
   * @throws TooCostlyException if it may not
   */
  synchronized void enter(Hour hour, List<RowEntry> rows) {
    if (checked) {
      return; // what was written since is welcome
    }
    costs.put(hour, rows);
    if (query.isLimited()) {
      costs.checkRows();
    } else {
      costs.check();
    }
  }

  /**
   * Looks at what was read.
   *
   * @throws TooCostlyException if it is too much for a query with a limit
   */
  void checkRead() {
    if (query.isLimited() && bytesWalked.getAsLong() > options.bounds().bytesMax()) {
      synchronized (this) {
        throw costs.readTooMuch(bytesWalked.getAsLong());
      }
    }
  }
}
