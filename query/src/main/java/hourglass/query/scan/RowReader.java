package hourglass.query.scan;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.query.encode.RowText;
import hourglass.query.fair.QueryThread;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.Order;
import hourglass.store.RowEntry;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Reads one row, with at most two slices in memory. Used by one thread at a time. */
public final class RowReader {
  private static final int GROWTH = 4;

  private static final double OPEN_PART_MAX = 0.999;

  private final RowEntry row;
  private final SliceWindow window;
  private final boolean ascending;
  private final RowText text;

  /** The number of columns after which none is fetched ahead. */
  private final long columnsWanted;

  private long columnsFetched;

  private int sliceColumns;

  /** The query for the rest of the row; null after the last slice. */
  private @Nullable SliceQuery query;

  private @Nullable CompletableFuture<SiftedSlice> fetched;

  private Columns columns = Columns.EMPTY;
  private @Nullable SiftedSlice sifted;
  private int at;
  private int end;

  /**
   * The tick of the current column. A descending reader inverts it, like the next field, so that
   * the smaller value is read first.
   */
  long sortTicks;

  long sortLsb;

  /** The first slice has {@code firstColumns}: a small one arrives sooner. */
  RowReader(
      RowEntry row,
      SliceQuery query,
      int firstColumns,
      RowText text,
      SliceWindow window,
      long columnsWanted) {
    this.row = row;
    this.sliceColumns = Math.min(firstColumns, query.columnsMax());
    this.ascending = query.order() == Order.ASCENDING;
    ColumnRange range = fromBegin(query.range());
    this.query = range.isEmpty() ? null : query.withRange(range);
    this.text = text;
    this.window = window;
    this.columnsWanted = columnsWanted;
    sortTicks = beginTicks();
  }

  /**
   * Returns the part of a range within the bounds that the directory states, on the side where the
   * reader begins. Columns that were added before the first of these are left out, since the merge
   * may have passed their place.
   */
  private ColumnRange fromBegin(ColumnRange range) {
    TimeUuid end = row.last().successor();
    ColumnRange known = range.intersect(new ColumnRange(row.first(), end));
    if (known.isEmpty()) {
      return known;
    }
    return ascending
        ? new ColumnRange(known.from(), range.to())
        : new ColumnRange(range.from(), known.to());
  }

  /** The tick at which the reader begins, negated if it descends. */
  long beginTicks() {
    return beginTicks(row, ascending);
  }

  static long beginTicks(RowEntry row, boolean ascending) {
    return ascending ? row.first().ticks() : -row.last().ticks();
  }

  /** The part of the row's time that is read, from 0 to below 1, since the row has not ended. */
  double partRead() {
    double ticks = row.last().ticks() - row.first().ticks();
    return ticks == 0
        ? 0
        : Math.min(OPEN_PART_MAX, Math.max(0, (sortTicks - beginTicks()) / ticks));
  }

  RowKey row() {
    return row.row();
  }

  public RowText text() {
    return text;
  }

  Columns columns() {
    return columns;
  }

  int at() {
    return at;
  }

  boolean isTakenBy(EventFilter filter, int i) {
    return Objects.requireNonNull(sifted).isTakenBy(filter, i);
  }

  /** Whether no slice is in flight or left to fetch. */
  boolean isOnLastSlice() {
    return query == null && fetched == null;
  }

  /** The number of columns of this slice from the current one on. */
  int columnsLeft() {
    return ascending ? end - at : at - end;
  }

  /**
   * Moves to the next column. Returns false at the end of the slice; the caller then calls {@link
   * #load}.
   */
  boolean step() {
    at += ascending ? 1 : -1;
    if (at == end) {
      return false;
    }
    place();
    return true;
  }

  /**
   * Makes the next slice current if this one has ended, and waits for it. Returns false at the end
   * of the row.
   */
  boolean load(QueryThread thread) {
    while (at == end) {
      // Frees the finished slice while the next one is in flight.
      columns = Columns.EMPTY;
      sifted = null;
      at = end = 0;
      fetch();
      if (fetched == null) {
        return false;
      }
      take(thread.await(fetched));
    }
    return true;
  }

  /** Lets the first slice be large, since no reader waits for it. */
  void beginLarge() {
    sliceColumns = query == null ? 0 : query.columnsMax();
  }

  void fetch() {
    if (fetched == null && query != null) {
      fetched = window.submit(row, query.withColumnsMax(sliceColumns));
    }
  }

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

  private void take(SiftedSlice next) {
    Slice slice = next.slice();
    sifted = next;
    fetched = null;
    query = slice.more() && query != null ? query.after(slice) : null;
    sliceColumns =
        query == null ? 0 : (int) Math.min((long) GROWTH * sliceColumns, query.columnsMax());
    columns = slice.columns();
    window.walked(slice);
    columnsFetched += columns.size();
    at = ascending ? 0 : columns.size() - 1;
    end = ascending ? columns.size() : -1;
    if (at != end) {
      place();
    }
  }

  void fetchAhead() {
    if (columnsFetched < columnsWanted) {
      fetch();
    }
  }

  private void place() {
    long ticks = columns.ticks(at);
    long lsb = TimeUuid.sortable(columns.lsb(at)) ^ Long.MIN_VALUE;
    sortTicks = ascending ? ticks : -ticks;
    sortLsb = ascending ? lsb : ~lsb;
  }

  /**
   * Whether this reader's event precedes the other's. Equal names are in the order of their rows.
   */
  boolean isBefore(RowReader other) {
    if (sortTicks != other.sortTicks) {
      return sortTicks < other.sortTicks;
    }
    if (sortLsb != other.sortLsb) {
      return sortLsb < other.sortLsb;
    }
    int byRow = row().compareTo(other.row());
    return ascending ? byRow < 0 : byRow > 0;
  }

  /**
   * Whether both readers are at the same event: equal names in two shards of one type are one
   * event.
   */
  boolean isDuplicateOf(RowReader other) {
    return sortTicks == other.sortTicks
        && sortLsb == other.sortLsb
        && row().type().equals(other.row().type());
  }
}
