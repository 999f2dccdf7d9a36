package hourglass.store;

import hourglass.bucketing.RowKey;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The nodes of a store, for planners and laboratories that spread load; none on one machine. */
public interface RowPlacement {

  /**
   * The nodes that keep a row or would keep it, the first owner first. Answered from memory; empty
   * if the store has one place, or while the engine does not know.
   */
  default List<String> placement(RowKey row) {
    return List.of();
  }

  /**
   * The writes of rows that each node has counted for this store since it started, by the names of
   * {@link #placement}; a write has any number of columns. Empty without such counters.
   */
  default CompletionStage<Map<String, Long>> nodeWrites() {
    return CompletableFuture.completedFuture(Map.of());
  }
}
