package hourglass.query.advice;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.shards.Placement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The nodes there are, and what rows put onto each. Immutable. */
final class NodeMap {
  /** Rows tried before it is known how many nodes there are. */
  private static final int TRIED_MIN = 128;

  /** Of that many a node, some fall on each node nearly surely: (1 - 1/n)^(16 n) is 10^-7. */
  private static final int TRIED_PER_NODE = 16;

  private final Placement placement;
  private final TreeSet<String> nodes = new TreeSet<>();

  private NodeMap(Placement placement) {
    this.placement = placement;
  }

  /**
   * Finds the nodes by where rows would live.
   *
   * @param like any key: others of its hour and type are tried
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

  /** How many; 1 where the engine does not tell. */
  int count() {
    return Math.max(1, nodes.size());
  }

  /** How unevenly columns lie over all nodes, each copy counted; null where there is one place. */
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
