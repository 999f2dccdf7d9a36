package hourglass.query;

import hourglass.bucketing.Hour;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.Order;
import hourglass.store.RowEntry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which events to answer, from which end, and how many.
 *
 * @param selection which
 * @param order oldest or newest first
 * @param limit how many at most, at least 1; {@link #ALL} for all of them
 * @param after where the page before ended, if this continues one
 * @param partial whether an answer without the rows that cannot be read is better than none
 * @param around where the page lies, if it is around an event; then it continues none
 */
public record EventQuery(
    Selection selection,
    Order order,
    long limit,
    @Nullable EventCursor after,
    boolean partial,
    @Nullable AroundPage around) {
  /** The limit of a query that has none. */
  public static final long ALL = Long.MAX_VALUE;

  public EventQuery {
    if (limit < 1) {
      throw new IllegalArgumentException("limit: " + limit + " < 1");
    }
  }

  /** A page around no event. */
  public EventQuery(
      Selection selection, Order order, long limit, @Nullable EventCursor after, boolean partial) {
    this(selection, order, limit, after, partial, null);
  }

  /** One around no event, whose answer is whole. */
  public EventQuery(Selection selection, Order order, long limit, @Nullable EventCursor after) {
    this(selection, order, limit, after, false);
  }

  /** The rows of an hour that may hold what is asked for, by type, sorted by key. */
  public List<RowEntry> rowsOf(List<RowEntry> rows) {
    return around == null ? selection.of(rows) : around.rows(selection, rows);
  }

  /** The names that are asked for of a row: within the range, and behind the page before. */
  public ColumnRange columnsOf(RowEntry row) {
    ColumnRange inHour = selection.range().within(row.row().hour());
    String type = row.row().type();
    if (around != null) {
      return around.columns(selection, order, inHour, type);
    }
    return after == null ? inHour : after.rest(inHour, type);
  }

  /** The hour where it begins to read; null if that is where the range does. */
  public @Nullable Hour begin() {
    if (around != null) {
      return around.first().name().hour();
    }
    return after == null ? null : after.hour();
  }

  /** Whether an event is asked for whatever it is. */
  public boolean isAround(String type, Columns columns, int i) {
    return around != null && around.center().isOf(type, columns, i);
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
