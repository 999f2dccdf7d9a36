package hourglass.query;

import hourglass.store.ColumnRange;
import hourglass.store.Order;
import hourglass.store.RowEntry;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The place of a page around one event.
 *
 * @param center the event; it is on the page even if it is not selected
 * @param first where the page begins: a selected event, or the center
 * @param previous the cursor of a walk backwards from there; null if no event precedes the page
 */
public record AroundPage(EventPosition center, EventPosition first, @Nullable String previous) {

  /** The rows that may hold events of the page. */
  List<RowEntry> rows(Selection selection, List<RowEntry> rows) {
    if (selection.hasType(center.type())) {
      return selection.of(rows);
    }
    TreeSet<String> types = new TreeSet<>(selection.types());
    types.add(center.type());
    return new Selection(types, selection.range(), "").of(rows);
  }

  /** The names in a range that may be on the page, for the rows of a type. */
  ColumnRange columns(Selection selection, Order order, ColumnRange range, String rowType) {
    return selection.hasType(rowType)
        ? first.onward(range, rowType, order)
        : range.intersect(center.itself());
  }
}
