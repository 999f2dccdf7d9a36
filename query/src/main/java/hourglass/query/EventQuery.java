package hourglass.query;

import hourglass.store.ColumnRange;
import hourglass.store.Order;
import hourglass.store.RowEntry;
import org.jspecify.annotations.Nullable;

/**
 * Which events to answer, from which end, and how many.
 *
 * @param selection which
 * @param order oldest or newest first
 * @param limit how many at most, at least 1; {@link #ALL} for all of them
 * @param after where the page before ended, if this continues one
 * @param partial whether an answer without the rows that cannot be read is better than none
 */
public record EventQuery(
    Selection selection, Order order, long limit, @Nullable EventCursor after, boolean partial) {
  /** The limit of a query that has none. */
  public static final long ALL = Long.MAX_VALUE;

  public EventQuery {
    if (limit < 1) {
      throw new IllegalArgumentException("limit: " + limit + " < 1");
    }
  }

  /** One whose answer is whole. */
  public EventQuery(Selection selection, Order order, long limit, @Nullable EventCursor after) {
    this(selection, order, limit, after, false);
  }

  /** The names that are asked for of a row: within the range, and behind the page before. */
  ColumnRange columnsOf(RowEntry row) {
    ColumnRange inHour = selection.range().within(row.row().hour());
    return after == null ? inHour : after.rest(inHour, row.row().type());
  }

  /** Whether a row may have events that are asked for. */
  boolean mayBeIn(RowEntry row) {
    ColumnRange wanted = columnsOf(row);
    return row.first().compareTo(wanted.to()) < 0 && wanted.from().compareTo(row.last()) <= 0;
  }

  /** Whether it may leave events out at its end. */
  public boolean isLimited() {
    return limit != ALL;
  }
}
