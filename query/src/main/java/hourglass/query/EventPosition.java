package hourglass.query;

import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.Order;

/**
 * The place of an event in the total order.
 *
 * @param name of the event
 * @param type of the event
 */
public record EventPosition(TimeUuid name, String type) {

  /** Whether column {@code i} of a row of some type is there. */
  boolean isOf(String rowType, Columns columns, int i) {
    return columns.ticks(i) == name.ticks() && columns.lsb(i) == name.lsb() && rowType.equals(type);
  }

  /** What a range has at the position and beyond it, for the rows of a type. */
  ColumnRange onward(ColumnRange range, String rowType, Order order) {
    int side = rowType.compareTo(type);
    return order == Order.ASCENDING
        ? range.intersect(new ColumnRange(side >= 0 ? name : name.successor(), range.to()))
        : range.intersect(new ColumnRange(range.from(), side <= 0 ? name.successor() : name));
  }

  /** The position alone. */
  ColumnRange itself() {
    return new ColumnRange(name, name.successor());
  }
}
