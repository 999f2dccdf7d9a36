package hourglass.query.service;

import hourglass.query.EventQuery;
import hourglass.query.Plan;
import hourglass.query.Selection;
import hourglass.query.scan.CountedRows;
import hourglass.query.scan.DirectoryScan;
import hourglass.query.scan.StoreAccess;
import hourglass.store.Order;
import hourglass.store.RowEntry;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Estimates from the directory whether a query takes milliseconds, and stops at the first hour that
 * exceeds a bound. Thread-safe.
 */
final class SmallQuery {
  /** Bounds the directories read; a dashboard under watch shows two days at most. */
  private static final int HOURS_MAX = 48;

  /** A count takes some microseconds per row if its pages do not overlap. */
  private static final long ROWS_MAX = 4_096;

  /** An expression evaluates this many payloads in some tens of milliseconds. */
  private static final long COLUMNS_MAX = 100_000;

  private static final long BYTES_MAX = 16 << 20;

  private final EventQuery query;
  private final boolean readsPayloads;

  /** Guarded by this. */
  private Plan sum = Plan.NOTHING;

  private SmallQuery(Selection selection, boolean readsPayloads) {
    query = new EventQuery(selection, Order.ASCENDING, EventQuery.ALL, null);
    this.readsPayloads = readsPayloads;
  }

  /**
   * Reads the directory.
   *
   * @return never fails: a query that the directory cannot estimate is not small
   */
  static CompletionStage<Boolean> ask(
      Selection selection, boolean readsPayloads, StoreAccess access) {
    SmallQuery small = new SmallQuery(selection, readsPayloads);
    StoreAccess upToTooMuch = access.until(() -> !small.isSmall() || access.gone().getAsBoolean());
    return new DirectoryScan(upToTooMuch, access.options().fanOut(), new CountedRows(false))
        .forEachHour(
            selection, (hour, rows, callsMax) -> CompletableFuture.completedFuture(small.add(rows)))
        .handle((done, failure) -> failure == null && small.isSmall());
  }

  private synchronized Plan add(List<RowEntry> rows) {
    Plan plan = Plan.ofHour(query, rows);
    sum = sum.plus(new Plan(1, plan.rows(), plan.columns(), plan.bytes()));
    return sum;
  }

  private synchronized boolean isSmall() {
    return sum.hours() <= HOURS_MAX
        && sum.rows() <= ROWS_MAX
        && (!readsPayloads || (sum.columns() <= COLUMNS_MAX && sum.bytes() <= BYTES_MAX));
  }
}
