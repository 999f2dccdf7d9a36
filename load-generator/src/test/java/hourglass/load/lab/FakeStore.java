package hourglass.load.lab;

import hourglass.access.SharedRoom;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.FirstTimes;
import hourglass.store.ForwardingStore;
import hourglass.store.Mutation;
import hourglass.store.Order;
import hourglass.store.RowEntry;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.WideColumnStore;
import hourglass.store.testkit.OracleStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A store in memory on three made-up nodes; a subclass may delay or refuse. Thread-safe. */
class FakeStore extends ForwardingStore {
  private static final int NODES = 3;

  private final OracleStore rows = new OracleStore();

  private final Map<String, Long> nodeWrites = new HashMap<>();

  /** All rows of each hour when it was dropped. */
  final List<Map<RowKey, Columns>> dropped = new ArrayList<>();

  @Override
  protected WideColumnStore delegate() {
    return rows;
  }

  /** Delays or fails a write, if overridden. */
  CompletionStage<Void> before(List<Mutation> mutations) {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletionStage<Void> write(List<Mutation> mutations, FirstTimes times, Object client) {
    return before(mutations).thenAccept(done -> keep(mutations));
  }

  synchronized void keep(List<Mutation> mutations) {
    for (Mutation mutation : mutations) {
      placement(mutation.row()).forEach(node -> nodeWrites.merge(node, 1L, Long::sum));
    }
    super.write(mutations, FirstTimes.NONE, SharedRoom.NOBODY);
  }

  @Override
  public synchronized CompletionStage<Void> drop(Hour hour) {
    Map<RowKey, Columns> gone = new HashMap<>();
    super.rows(hour)
        .thenAccept(entries -> entries.forEach(row -> gone.put(row.row(), columns(row))));
    dropped.add(gone);
    return super.drop(hour);
  }

  private Columns columns(RowEntry row) {
    SliceQuery all =
        new SliceQuery(
            row.row(),
            ColumnRange.of(row.row().hour()),
            Order.ASCENDING,
            (int) row.columns(),
            SliceQuery.Projection.COLUMNS);
    return super.slice(all).thenApply(Slice::columns).toCompletableFuture().join();
  }

  @Override
  public List<String> placement(RowKey row) {
    return List.of("node " + (char) ('a' + Math.floorMod(row.toString().hashCode(), NODES)));
  }

  synchronized CompletionStage<Map<String, Long>> nodeWrites() {
    Map<String, Long> counts = new HashMap<>(Map.of("node a", 0L, "node b", 0L, "node c", 0L));
    counts.putAll(nodeWrites);
    return CompletableFuture.completedFuture(counts);
  }

  /** Left open for the test. */
  @Override
  public void close() {}
}
