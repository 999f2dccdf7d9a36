package hourglass.query.advice;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.shards.Placement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The nodes of a store and the load of rows on each. Immutable. */
final class NodeMap {
  private static final int TRIED_MIN = 128;

  /**
   * Rows to try per node. All miss a node with a probability of {@code (1 - 1/n)^(16 n)}, about
   * 10^-7.
   */
  private static final int TRIED_PER_NODE = 16;

  private final Placement placement;
  private final TreeSet<String> nodes = new TreeSet<>();

  private NodeMap(Placement placement) {
    this.placement = placement;
  }

  /**
   * Finds the nodes through the placement of rows.
   *
   * @param like any key; other shards of its type hour are tried
   */
  static NodeMap find(Placement placement, RowKey like) {
    NodeMap map = new NodeMap(placement);
    int shard = 0;
    do {
      List<String> keptBy = placement.nodes(new RowKey(like.hour(), like.type(), shard));
      map.nodes.addAll(keptBy);
      shard++;
    } while (!map.nodes.isEmpty()
        && shard < Math.max(TRIED_MIN, TRIED_PER_NODE * map.nodes.size()));
    return map;
  }

  /** Returns 1 if the engine does not report any. */
  int count() {
    return Math.max(1, nodes.size());
  }

  /** The skew of columns, with each copy counted; null for fewer than two nodes. */
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
