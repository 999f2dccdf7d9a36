package hourglass.query;

import hourglass.bucketing.Hour;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.Order;
import hourglass.store.RowEntry;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A query for events.
 *
 * @param limit at least 1; {@link #ALL} for no limit
 * @param after the end of the previous page; null for a first page
 * @param partial whether unreadable rows are left out; otherwise, one fails the answer
 * @param around the place of a page around an event, for which {@code after} is null; else null
 */
public record EventQuery(
    Selection selection,
    Order order,
    long limit,
    @Nullable EventCursor after,
    boolean partial,
    @Nullable Around around) {
  public static final long ALL = Long.MAX_VALUE;

  public EventQuery {
    if (limit < 1) {
      throw new IllegalArgumentException("limit: " + limit + " < 1");
    }
  }

  public EventQuery(Selection selection, Order order, long limit, @Nullable EventCursor after) {
    this(selection, order, limit, after, false, null);
  }

  /** Returns the rows of an hour that may contain events of the answer, by type, sorted by key. */
  public List<RowEntry> rowsOf(List<RowEntry> rows) {
    if (around == null || selection.hasType(around.center.type())) {
      return selection.of(rows);
    }
    TreeSet<String> types = new TreeSet<>(selection.types());
    types.add(around.center.type());
    return new Selection(types, selection.range(), "").of(rows);
  }

  public ColumnRange columnsOf(RowEntry row) {
    ColumnRange inHour = selection.range().within(row.row().hour());
    String type = row.row().type();
    if (around != null) {
      return selection.hasType(type)
          ? around.first.onward(inHour, type, order)
          : inHour.intersect(around.center.itself());
    }
    return after == null ? inHour : after.last().beyond(inHour, type, order);
  }

  /** Returns the hour in which reading begins; null if the range decides. */
  public @Nullable Hour begin() {
    if (around != null) {
      return around.first().name().hour();
    }
    return after == null ? null : after.last().name().hour();
  }

  /** Whether reading reaches the hour if no limit ends it before. */
  public boolean reaches(Hour hour) {
    Hour begin = begin();
    int fromBegin = begin == null ? 0 : hour.compareTo(begin);
    return order == Order.ASCENDING ? fromBegin >= 0 : fromBegin <= 0;
  }

  /**
   * Whether the page is around this event, which is then part of the answer even if not selected.
   */
  public boolean isAround(String type, Columns columns, int i) {
    return around != null && around.center().isOf(type, columns, i);
  }

  boolean mayBeIn(RowEntry row) {
    ColumnRange wanted = columnsOf(row);
    return row.first().compareTo(wanted.to()) < 0 && wanted.from().compareTo(row.last()) <= 0;
  }

  public boolean isLimited() {
    return limit != ALL;
  }

  /**
   * The place of a page around one event, which is part of it even if not selected.
   *
   * @param first the beginning of the page: a selected event, or the center
   * @param previous cursor of a walk backwards from there; null if no event precedes the page
   */
  public record Around(EventPosition center, EventPosition first, @Nullable String previous) {}
}
