package hourglass.store.embedded.rows;

import hourglass.bucketing.RowKey;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.Order;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.embedded.pages.PageWriter;
import java.io.IOException;

/** Reads all columns of a row in order. */
public final class RowContentScan {
  private final RowContentReader reader;

  public RowContentScan(RowContentReader reader) {
    this.reader = reader;
  }

  /** Receives the columns of a stretch, in order. */
  public interface Sink {
    void accept(Columns columns) throws IOException;
  }

  public void scan(RowKey row, RowContent content, Sink sink) throws IOException {
    SliceQuery query =
        new SliceQuery(
            row,
            ColumnRange.of(row.hour()),
            Order.ASCENDING,
            PageWriter.PAGE_COLUMNS,
            SliceQuery.Projection.COLUMNS);
    boolean more = true;
    while (more) {
      Slice slice = reader.slice(content, query);
      if (!slice.columns().isEmpty()) {
        sink.accept(slice.columns());
      }
      more = slice.more();
      query = more ? query.after(slice) : query;
    }
  }
}
