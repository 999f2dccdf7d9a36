package hourglass.query.scan;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.query.BadParameterException;
import hourglass.query.encode.RowText;
import hourglass.query.filter.EventFilter;
import hourglass.query.filter.SiftedSlice;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.Order;
import hourglass.store.RowEntry;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A walk over the columns of one row, slice by slice: one is read while the next is fetched, so at
 * most two are in memory. Used by one thread at a time.
 */
public final class RowReader {
  /** Each slice may be so many times as large as the one before. */
  private static final int GROWTH = 4;

  /** Where the walk stands. */
  enum State {
    /** On a column. */
    READY,
    /** Before a slice that has yet to come. */
    WAITING,
    /** After the last column. */
    ENDED
  }

  private final RowEntry row;
  private final SliceWindow window;
  private final boolean ascending;
  private final RowText text;

  /** More columns than that of one row are of no use, so they are not fetched ahead of need. */
  private final long columnsWanted;

  private long columnsFetched;

  /** How many columns to ask for next. */
  private int sliceColumns;

  /** What to ask next, with the most columns that a slice may have; null after the last slice. */
  private @Nullable SliceQuery query;

  private @Nullable CompletableFuture<SiftedSlice> fetched;

  private Columns columns = Columns.EMPTY;
  private @Nullable SiftedSlice sifted;
  private int at;
  private int end;

  /**
   * The place in the total order, ascending also where the walk is not: ticks, then the rest of the
   * name, each negated for a descending walk.
   */
  long sortTicks;

  long sortLsb;

  /** The order of rows with one name: by type, then shard, in the direction of the walk. */
  int rank;

  /** Equal for rows of one type. */
  int typeRank;

  /**
   * @param query asks for as many columns as a slice may have at most
   * @param firstColumns how many columns the first slice may have: the sooner it is there, the
   *     sooner the merge begins
   */
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
  }

  /**
   * The part of a range from where the row begins, as the directory has it. What was added before
   * that since then is left out: the merge may have passed its place.
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

  /** The ticks of the first column that the row may have, in the direction of the walk. */
  long beginTicks() {
    return beginTicks(row, ascending);
  }

  /** As above, of a row that is not walked yet. */
  static long beginTicks(RowEntry row, boolean ascending) {
    return ascending ? row.first().ticks() : -row.last().ticks();
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

  /** The position in {@link #columns} where the walk stands. */
  int at() {
    return at;
  }

  /**
   * Whether the filter of the query takes column {@code i} of {@link #columns}.
   *
   * @throws BadParameterException if the expression takes too much to tell
   */
  boolean isTakenBy(EventFilter filter, int i) {
    return Objects.requireNonNull(sifted).isTakenBy(filter, i);
  }

  /** Whether no slice is left to ask for. */
  boolean isOnLastSlice() {
    return query == null && fetched == null;
  }

  /** The columns of this slice that are still to come. */
  int columnsLeft() {
    return ascending ? end - at : at - end;
  }

  /** Steps to the next column of the slice; false at its end: then {@link #load}. */
  boolean step() {
    at += ascending ? 1 : -1;
    if (at == end) {
      return false;
    }
    place();
    return true;
  }

  /** Stands on a column if one is there, and asks for the slice after that. */
  State load() {
    while (at == end) {
      // What was walked may go while the next slice is on its way.
      columns = Columns.EMPTY;
      sifted = null;
      at = end = 0;
      fetch();
      if (fetched == null) {
        return State.ENDED;
      }
      if (!fetched.isDone()) {
        return State.WAITING;
      }
      take(fetched.join());
    }
    return State.READY;
  }

  /** The slice that {@link #load} waits for. */
  @Nullable CompletableFuture<?> awaited() {
    return fetched;
  }

  /** Lets the first slice be as large as those that follow. */
  void beginLarge() {
    sliceColumns = query == null ? 0 : query.columnsMax();
  }

  /** Asks for the next slice, if there is one and it was not asked for. */
  void fetch() {
    if (fetched == null && query != null) {
      fetched = window.submit(row, query.withColumnsMax(sliceColumns));
    }
  }

  /** Ends the walk where it is. */
  void giveUp() {
    query = null;
    fetched = null;
  }

  /** Lets go of a slice that was fetched ahead; it is asked for again when needed. */
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

  /** Asks for the next slice while this one is walked, if it can be of use. */
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

  /** Whether this column comes before that of another row. */
  boolean isBefore(RowReader other) {
    if (sortTicks != other.sortTicks) {
      return sortTicks < other.sortTicks;
    }
    if (sortLsb != other.sortLsb) {
      return sortLsb < other.sortLsb;
    }
    return rank < other.rank;
  }

  /** Whether both stand on one event: the same name, from two shards of one type. */
  boolean isDuplicateOf(RowReader other) {
    return sortTicks == other.sortTicks && sortLsb == other.sortLsb && typeRank == other.typeRank;
  }
}
