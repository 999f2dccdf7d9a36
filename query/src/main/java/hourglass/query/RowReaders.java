package hourglass.query;

import hourglass.store.ColumnRange;
import hourglass.store.Order;
import hourglass.store.RowEntry;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Sizes the walks over rows that are read side by side, so that all of them together stay within
 * the buffer of a query.
 *
 * @param options the limits
 * @param bufferBytes payload bytes in the slices of all the walks together
 * @param order of the walks
 * @param projection whether payloads are wanted
 * @param columnsWanted how many columns of one row can be of use; {@code Long.MAX_VALUE}: all
 */
record RowReaders(
    QueryOptions options, int bufferBytes, Order order, Projection projection, long columnsWanted) {

  /** Of the first slices of all rows together: enough to begin an answer with. */
  private static final int FIRST_COLUMNS = 1_024;

  private static final int FIRST_COLUMNS_OF_ROW = 64;

  /** With all of the buffer of a query. */
  RowReaders(QueryOptions options, Order order, Projection projection, long columnsWanted) {
    this(options, options.bufferBytes(), order, projection, columnsWanted);
  }

  /** One walk a row, from a window of its query. */
  List<RowReader> of(
      List<RowEntry> rows, Function<RowEntry, ColumnRange> range, SliceWindow window) {
    List<RowReader> readers = new ArrayList<>(rows.size());
    int first = Math.max(FIRST_COLUMNS_OF_ROW, FIRST_COLUMNS / Math.max(1, rows.size()));
    for (RowEntry row : rows) {
      SliceQuery query =
          new SliceQuery(
              row.row(), range.apply(row), order, sliceColumns(row, rows.size()), projection);
      readers.add(
          new RowReader(row, query, first, new RowText(row.row().type()), window, columnsWanted));
    }
    return readers;
  }

  private int sliceColumns(RowEntry row, int rows) {
    long columnBytes = 20 + row.bytes() / Math.max(1, row.columns());
    long fitting = bufferBytes / (2L * rows) / columnBytes;
    long wanted = Math.min(columnsWanted, options.sliceColumns());
    return (int) Math.max(1, Math.min(fitting, wanted));
  }
}
