package hourglass.query.scan;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.query.encode.RowText;
import hourglass.query.fair.QueryThread;
import hourglass.store.Columns;
import hourglass.store.Order;
import hourglass.store.RowEntry;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads one row, with at most two slices in memory. Used by one thread at a time. */
public final class RowReader {
  private static final double OPEN_PART_MAX = 0.999;

  private final RowEntry row;
  private final RowSlices slices;
  private final boolean ascending;
  private final RowText text;

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

  /** Reads the slices of {@code row}, which come in {@code order}. */
  RowReader(RowEntry row, RowSlices slices, Order order, RowText text) {
    this.row = row;
    this.slices = slices;
    this.ascending = order == Order.ASCENDING;
    this.text = text;
    sortTicks = beginTicks();
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
    return slices.areAllTaken();
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
      SiftedSlice next = slices.take(thread);
      if (next == null) {
        return false;
      }
      begin(next);
    }
    return true;
  }

  /** Lets the first slice be large, since no reader waits for it. */
  void beginLarge() {
    slices.beginLarge();
  }

  void fetch() {
    slices.fetch();
  }

  void fetchAhead() {
    slices.fetchAhead();
  }

  /** Leaves out the rest of the row. */
  void giveUp() {
    slices.giveUp();
  }

  /** Drops the slice that was fetched ahead. It is fetched again on demand. */
  void dropAhead() {
    slices.dropAhead();
  }

  /** Forgets the columns from the current one on, so that {@link #load} reads them again. */
  void rewind() {
    slices.rewind(columns.id(at));
    columns = Columns.EMPTY;
    sifted = null;
    at = end = 0;
  }

  private void begin(SiftedSlice next) {
    sifted = next;
    columns = next.slice().columns();
    at = ascending ? 0 : columns.size() - 1;
    end = ascending ? columns.size() : -1;
    if (at != end) {
      place();
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
