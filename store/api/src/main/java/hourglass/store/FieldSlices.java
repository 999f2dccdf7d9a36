package hourglass.store;

import hourglass.store.SliceQuery.Projection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Answers a {@link FieldQuery} with slices, for engines that do not keep fields apart. */
final class FieldSlices {
  private static final int COLUMNS_MAX = 4_096;

  private FieldSlices() {}

  static CompletionStage<FieldValues> read(WideColumnStore store, FieldQuery query) {
    SliceQuery first =
        new SliceQuery(
            query.part().row(), query.range(), Order.ASCENDING, COLUMNS_MAX, Projection.COLUMNS);
    FieldFilter filter = query.filter();
    return read(
        store,
        filter == null ? first : first.withFilter(new SliceQuery.Filter(filter, query.range())),
        new FieldValues(query.fields().size()));
  }

  private static CompletionStage<FieldValues> read(
      WideColumnStore store, SliceQuery query, FieldValues values) {
    return store
        .slice(query)
        .thenCompose(
            slice -> {
              values.addWhole(slice.columns());
              return slice.more()
                  ? read(store, query.after(slice), values)
                  : CompletableFuture.completedFuture(values);
            });
  }
}
