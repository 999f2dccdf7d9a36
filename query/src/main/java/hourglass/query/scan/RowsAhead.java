package hourglass.query.scan;

import hourglass.store.Order;
import hourglass.store.RowEntry;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.function.Function;

/**
 * The rows that a merge has not reached, by first column in its direction. The first few have
 * readers that fetch already; the others have none, since they may be many. Used by one thread at a
 * time.
 */
final class RowsAhead {
  private final Iterator<RowEntry> closed;
  private final Function<RowEntry, RowReader> toReader;
  private final int openMax;
  private final Queue<RowReader> open = new ArrayDeque<>();

  /** The first tick of the first open reader; {@code Long.MAX_VALUE} if there is none. */
  private long dueTicks;

  private RowsAhead(
      Iterator<RowEntry> closed, Function<RowEntry, RowReader> toReader, int openMax) {
    this.closed = closed;
    this.toReader = toReader;
    this.openMax = openMax;
  }

  /** Opens the first rows; {@code openMax} is at least 1. */
  static RowsAhead of(
      List<RowEntry> rows, Function<RowEntry, RowReader> toReader, Order order, int openMax) {
    boolean ascending = order == Order.ASCENDING;
    Comparator<RowEntry> byBegin =
        Comparator.comparingLong(row -> RowReader.beginTicks(row, ascending));
    RowsAhead ahead = new RowsAhead(rows.stream().sorted(byBegin).iterator(), toReader, openMax);
    ahead.open(false);
    return ahead;
  }

  boolean isEmpty() {
    return open.isEmpty();
  }

  /** The tick at which the merge reaches the first row; {@code Long.MAX_VALUE} if there is none. */
  long dueTicks() {
    return dueTicks;
  }

  /**
   * Moves the readers of all rows up to a tick to {@code reached}, and opens as many others.
   *
   * @param isEarly whether no reader waits for the rows that open, so that they begin large
   */
  void moveDue(long upToTicks, Queue<RowReader> reached, boolean isEarly) {
    while (dueTicks <= upToTicks && !open.isEmpty()) {
      RowReader due = open.remove();
      due.fetch(); // slices that were dropped are fetched in parallel
      reached.add(due);
      open(isEarly);
    }
  }

  private void open(boolean isEarly) {
    while (open.size() < openMax && closed.hasNext()) {
      RowReader reader = toReader.apply(closed.next());
      if (isEarly) {
        reader.beginLarge();
      }
      reader.fetch();
      open.add(reader);
    }
    dueTicks = open.isEmpty() ? Long.MAX_VALUE : open.element().beginTicks();
  }

  /** Drops the slices that were fetched. They are fetched again on demand. */
  void dropSlices() {
    open.forEach(RowReader::dropAhead);
  }
}
