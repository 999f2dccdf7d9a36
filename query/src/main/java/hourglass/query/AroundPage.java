package hourglass.query;

import hourglass.store.ColumnRange;
import hourglass.store.Order;
import hourglass.store.RowEntry;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Where a page lies that is around one event.
 *
 * @param center the event; it is in the page whether it is selected or not
 * @param first where the page begins: an event that is selected, or the center
 * @param previous the cursor of a walk the other way from there; null if nothing lies there
 */
public record AroundPage(EventPosition center, EventPosition first, @Nullable String previous) {

  /** The rows that may hold the page. */
  List<RowEntry> rows(Selection selection, List<RowEntry> rows) {
    if (selection.hasType(center.type())) {
      return selection.of(rows);
    }
    TreeSet<String> types = new TreeSet<>(selection.types());
    types.add(center.type());
    return new Selection(types, selection.range(), "").of(rows);
  }

  /** The names of a range that may be in the page, for the rows of a type. */
  ColumnRange columns(Selection selection, Order order, ColumnRange range, String rowType) {
    return selection.hasType(rowType)
        ? first.onward(range, rowType, order)
        : range.intersect(center.itself());
  }
}
