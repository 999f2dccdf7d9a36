package hourglass.query;

import hourglass.bucketing.EventType;
import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.Order;

/** The position of an event in the total order by (name, type). */
public record EventPosition(TimeUuid name, String type) {

  boolean isOf(String rowType, Columns columns, int i) {
    return columns.ticks(i) == name.ticks() && columns.lsb(i) == name.lsb() && rowType.equals(type);
  }

  /** Returns the part of a range at and beyond the position, for the rows of a type. */
  ColumnRange onward(ColumnRange range, String rowType, Order order) {
    return rowType.equals(type) ? part(range, true, order) : beyond(range, rowType, order);
  }

  /** Returns the part of a range beyond the position, for the rows of a type. */
  ColumnRange beyond(ColumnRange range, String rowType, Order order) {
    int side = EventType.compare(rowType, type);
    return part(range, order == Order.ASCENDING ? side > 0 : side < 0, order);
  }

  private ColumnRange part(ColumnRange range, boolean withName, Order order) {
    return order == Order.ASCENDING
        ? range.intersect(new ColumnRange(withName ? name : name.successor(), range.to()))
        : range.intersect(new ColumnRange(range.from(), withName ? name.successor() : name));
  }

  ColumnRange itself() {
    return new ColumnRange(name, name.successor());
  }
}
