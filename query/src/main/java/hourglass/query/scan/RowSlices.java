package hourglass.query.scan;

import hourglass.bucketing.TimeUuid;
import hourglass.query.fair.QueryThread;
import hourglass.store.ColumnRange;
import hourglass.store.Order;
import hourglass.store.RowEntry;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Fetches the slices of one row, one at a time and each larger than the one before. A slice may be
 * fetched while the reader is in the slice before it. Used by one thread at a time.
 */
final class RowSlices {
  private static final int GROWTH = 4;

  private final RowEntry row;
  private final SliceQuery whole;
  private final SliceWindow window;

  /** The number of columns after which none is fetched ahead. */
  private final long columnsWanted;

  private long columnsFetched;

  /** The most columns of the next slice. */
  private int sliceColumns;

  /** The query for the rest of the row; null after the last slice. */
  private @Nullable SliceQuery query;

  private @Nullable CompletableFuture<SiftedSlice> fetched;

  /** The first slice has {@code firstColumns}: a small one arrives sooner. */
  RowSlices(
      RowEntry row, SliceQuery query, int firstColumns, SliceWindow window, long columnsWanted) {
    this.row = row;
    this.whole = query;
    this.window = window;
    this.columnsWanted = columnsWanted;
    sliceColumns = Math.min(firstColumns, query.columnsMax());
    ColumnRange range = fromBegin(row, query);
    this.query = range.isEmpty() ? null : query.withRange(range);
  }

  /**
   * Returns the part of a query's range within the bounds that the directory states, on the side
   * where the query begins. Columns that were added before the first of these are left out, since
   * the merge may have passed their place.
   */
  private static ColumnRange fromBegin(RowEntry row, SliceQuery query) {
    ColumnRange range = query.range();
    TimeUuid end = row.last().successor();
    ColumnRange known = range.intersect(new ColumnRange(row.first(), end));
    if (known.isEmpty()) {
      return known;
    }
    return query.order() == Order.ASCENDING
        ? new ColumnRange(known.from(), range.to())
        : new ColumnRange(range.from(), known.to());
  }

  /** Whether no slice is in flight or left to fetch. */
  boolean areAllTaken() {
    return query == null && fetched == null;
  }

  /** Lets the first slice be large, since no reader waits for it. */
  void beginLarge() {
    sliceColumns = query == null ? 0 : query.columnsMax();
  }

  /** Fetches the next slice, unless it is in flight or there is none. */
  void fetch() {
    if (fetched == null && query != null) {
      fetched = window.submit(row, query.withColumnsMax(sliceColumns));
    }
  }

  /** Fetches the next slice if its columns will probably be needed. */
  void fetchAhead() {
    if (columnsFetched < columnsWanted) {
      fetch();
    }
  }

  /** Leaves out the rest of the row. */
  void giveUp() {
    query = null;
    fetched = null;
  }

  /** Drops the slice that was fetched ahead. It is fetched again on demand. */
  void dropAhead() {
    if (fetched != null) {
      var unused = fetched.thenAccept(SiftedSlice::leave);
    }
    fetched = null;
  }

  /** Fetches the columns from a name on once more. */
  void rewind(TimeUuid to) {
    dropAhead();
    ColumnRange all = whole.range();
    query =
        whole.withRange(
            whole.order() == Order.ASCENDING
                ? new ColumnRange(to, all.to())
                : new ColumnRange(all.from(), to.successor()));
    sliceColumns = whole.columnsMax();
  }

  /** Waits for the next slice, which may be empty. Returns null at the end of the row. */
  @Nullable SiftedSlice take(QueryThread thread) {
    fetch();
    if (fetched == null) {
      return null;
    }
    SiftedSlice next = thread.await(fetched);
    Slice slice = next.slice();
    fetched = null;
    query = slice.more() && query != null ? query.after(slice) : null;
    sliceColumns =
        query == null ? 0 : (int) Math.min((long) GROWTH * sliceColumns, query.columnsMax());
    window.walked(slice);
    columnsFetched += slice.columns().size();
    return next;
  }
}
