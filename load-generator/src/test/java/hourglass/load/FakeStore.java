package hourglass.load;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.planner.ShardClaim;
import hourglass.store.Columns;
import hourglass.store.CountQuery;
import hourglass.store.Mutation;
import hourglass.store.RowCounts;
import hourglass.store.RowEntry;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.WideColumnStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Keeps what is written to it in memory, on three made-up nodes; a subclass may delay or refuse.
 * Thread-safe.
 */
class FakeStore implements WideColumnStore {
  private static final int NODES = 3;

  private final Map<RowKey, Columns> rows = new HashMap<>();

  private final Map<String, Long> nodeWrites = new HashMap<>();

  /** All rows of each hour when it was dropped. */
  final List<Map<RowKey, Columns>> dropped = new ArrayList<>();

  /** What happens before a write is done: nothing, unless overridden. */
  CompletionStage<Void> before(List<Mutation> mutations) {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletionStage<Void> write(List<Mutation> mutations) {
    return before(mutations).thenAccept(done -> keep(mutations));
  }

  synchronized void keep(List<Mutation> mutations) {
    for (Mutation mutation : mutations) {
      placement(mutation.row()).forEach(node -> nodeWrites.merge(node, 1L, Long::sum));
      rows.merge(
          mutation.row(), mutation.columns(), (old, added) -> Columns.merge(List.of(old, added)));
    }
  }

  @Override
  public synchronized CompletionStage<List<RowEntry>> rows(Hour hour) {
    List<RowEntry> entries =
        rows.entrySet().stream()
            .filter(row -> row.getKey().hour().equals(hour))
            .map(row -> entry(row.getKey(), row.getValue()))
            .toList();
    return CompletableFuture.completedFuture(entries);
  }

  private static RowEntry entry(RowKey row, Columns columns) {
    return new RowEntry(
        row,
        columns.size(),
        columns.payloadBytes(),
        columns.first(),
        columns.last(),
        null,
        List.of());
  }

  @Override
  public synchronized CompletionStage<Void> drop(Hour hour) {
    Map<RowKey, Columns> gone = new HashMap<>(rows);
    gone.keySet().removeIf(row -> !row.hour().equals(hour));
    dropped.add(gone);
    rows.keySet().removeAll(gone.keySet());
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public List<String> placement(RowKey row) {
    return List.of("node " + (char) ('a' + Math.floorMod(row.toString().hashCode(), NODES)));
  }

  @Override
  public synchronized CompletionStage<Map<String, Long>> nodeWrites() {
    Map<String, Long> counts = new HashMap<>(Map.of("node a", 0L, "node b", 0L, "node c", 0L));
    counts.putAll(nodeWrites);
    return CompletableFuture.completedFuture(counts);
  }

  @Override
  public CompletionStage<Void> check() {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletionStage<List<ShardClaim>> claim(Hour hour, String type, List<ShardClaim> claims) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletionStage<Slice> slice(SliceQuery query) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletionStage<RowCounts> count(CountQuery query) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletionStage<List<Hour>> hours(Hour from, Hour to) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
