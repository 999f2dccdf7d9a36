package hourglass.query.service;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.Columns;
import hourglass.store.CountQuery;
import hourglass.store.FirstTimes;
import hourglass.store.ForwardingStore;
import hourglass.store.Mutation;
import hourglass.store.Order;
import hourglass.store.RowCounts;
import hourglass.store.RowEntry;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.WideColumnStore;
import hourglass.store.testkit.OracleStore;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Packed rows in memory, so that a benchmark measures the layers above a store. */
public final class PackedStore extends ForwardingStore {
  private final TreeMap<RowKey, Columns> rows = new TreeMap<>();

  /** Answers calls that no benchmark makes. */
  private final OracleStore none = new OracleStore();

  @Override
  protected WideColumnStore delegate() {
    return none;
  }

  @Override
  public CompletionStage<Void> write(List<Mutation> mutations, FirstTimes times, Object client) {
    for (Mutation mutation : mutations) {
      rows.merge(mutation.row(), mutation.columns(), (a, b) -> Columns.merge(List.of(a, b)));
    }
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletionStage<Slice> slice(SliceQuery query) {
    Columns within = rows.getOrDefault(query.row(), Columns.EMPTY).within(query.range());
    int taken = Math.min(within.size(), query.columnsMax());
    int from = query.order() == Order.ASCENDING ? 0 : within.size() - taken;
    Columns columns = within.subColumns(from, from + taken);
    return CompletableFuture.completedFuture(new Slice(columns, taken < within.size()));
  }

  @Override
  public CompletionStage<List<RowEntry>> rows(Hour hour) {
    return CompletableFuture.completedFuture(
        rows.entrySet().stream()
            .filter(row -> row.getKey().hour().equals(hour))
            .map(row -> entry(row.getKey(), row.getValue()))
            .toList());
  }

  private static RowEntry entry(RowKey key, Columns columns) {
    return new RowEntry(
        key,
        columns.size(),
        columns.payloadBytes(),
        columns.first(),
        columns.last(),
        null,
        List.of());
  }

  @Override
  public CompletionStage<List<Hour>> hours(Hour from, Hour to) {
    return CompletableFuture.completedFuture(
        rows.keySet().stream().map(RowKey::hour).distinct().toList());
  }

  @Override
  public CompletionStage<RowCounts> count(CountQuery query) {
    Columns columns = rows.getOrDefault(query.row(), Columns.EMPTY);
    OracleStore one = new OracleStore();
    return one.write(List.of(new Mutation(query.row(), columns)))
        .thenCompose(done -> one.count(query));
  }

  @Override
  public CompletionStage<Void> drop(Hour hour) {
    rows.keySet().removeIf(row -> row.hour().equals(hour));
    return CompletableFuture.completedFuture(null);
  }
}
