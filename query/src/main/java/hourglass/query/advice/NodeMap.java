package hourglass.query.advice;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.shards.Placement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The nodes of a store and the load of rows on each. Immutable. */
record NodeMap(Placement placement, Set<String> nodes) {
  private static final int TRIED_MIN = 128;

  /**
   * The number of rows to try for each node. All miss a node with a probability of {@code (1 -
   * 1/n)^(16 n)}, about 10^-7.
   */
  private static final int TRIED_PER_NODE = 16;

  /**
   * Finds the nodes through the placement of rows.
   *
   * @param like any key; other shards of its type hour are tried
   */
  static NodeMap find(Placement placement, RowKey like) {
    Set<String> nodes = new HashSet<>();
    int shard = 0;
    do {
      List<String> keptBy = placement.nodes(new RowKey(like.hour(), like.type(), shard));
      nodes.addAll(keptBy);
      shard++;
    } while (!nodes.isEmpty() && shard < Math.max(TRIED_MIN, TRIED_PER_NODE * nodes.size()));
    return new NodeMap(placement, nodes);
  }

  /** Returns the number of nodes; 1 if the engine does not report any. */
  int count() {
    return Math.max(1, nodes.size());
  }

  /**
   * Returns the skew of columns, with each copy counted; null if there are fewer than two nodes.
   */
  @Nullable Skew skew(List<RowFill> rows) {
    if (nodes.size() < 2) {
      return null;
    }
    Map<String, Long> columns = new HashMap<>();
    nodes.forEach(node -> columns.put(node, 0L));
    for (RowFill row : rows) {
      placement
          .nodes(row.entry().row())
          .forEach(node -> columns.merge(node, row.columns(), Long::sum));
    }
    return Skew.of(columns.values().stream().mapToLong(Long::longValue).toArray());
  }
}
