package hourglass.store;

import hourglass.store.SliceQuery.Projection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A query for the values of fields in a part of a row, counted by step.
 *
 * @param part the row, the range and the steps
 * @param fields the fields whose values are counted together; none to count columns alone
 * @param filter null to read every column
 */
public record FieldQuery(CountQuery part, List<FieldFinder> fields, @Nullable FieldFilter filter) {
  private static final int SLICE_COLUMNS_MAX = 4_096;

  public FieldQuery {
    fields = List.copyOf(fields);
  }

  public ColumnRange range() {
    return part.range();
  }

  /** Answers this query with slices of a store, which need not keep fields apart. */
  public CompletionStage<FieldValues> readSlices(WideColumnStore store) {
    SliceQuery all =
        new SliceQuery(part.row(), range(), Order.ASCENDING, SLICE_COLUMNS_MAX, Projection.COLUMNS);
    SliceQuery first =
        filter == null ? all : all.withFilter(new SliceQuery.Filter(filter, range()));
    return readSlices(store, first, new FieldValues(fields.size()));
  }

  private static CompletionStage<FieldValues> readSlices(
      WideColumnStore store, SliceQuery query, FieldValues values) {
    return store
        .slice(query)
        .thenCompose(
            slice -> {
              values.addWhole(slice.columns());
              return slice.more()
                  ? readSlices(store, query.after(slice), values)
                  : CompletableFuture.completedFuture(values);
            });
  }
}
