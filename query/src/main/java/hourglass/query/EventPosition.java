package hourglass.query;

import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.Order;

/** The position of an event in the total order. */
public record EventPosition(TimeUuid name, String type) {

  /** Whether column {@code i} of a row of this type is at the position. */
  boolean isOf(String rowType, Columns columns, int i) {
    return columns.ticks(i) == name.ticks() && columns.lsb(i) == name.lsb() && rowType.equals(type);
  }

  /** The part of a range at and beyond the position, for the rows of a type. */
  ColumnRange onward(ColumnRange range, String rowType, Order order) {
    int side = rowType.compareTo(type);
    return order == Order.ASCENDING
        ? range.intersect(new ColumnRange(side >= 0 ? name : name.successor(), range.to()))
        : range.intersect(new ColumnRange(range.from(), side <= 0 ? name.successor() : name));
  }

  /** The range of the position alone. */
  ColumnRange itself() {
    return new ColumnRange(name, name.successor());
  }
}
