package hourglass.load.lab;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.shards.Placement;
import hourglass.bucketing.simulation.Ring;
import hourglass.load.command.LoadFailure;
import hourglass.store.WideColumnStore;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * The nodes of each row.
 *
 * @param names the names of the nodes, at least one; nodes are numbered from 0
 * @param replicas returns the nodes of a row, at least one, the owner first
 */
record NodePlacement(List<String> names, Function<RowKey, int[]> replicas) implements Placement {
  private static final String ONE = "this store";

  /**
   * The number of rows for which the store is asked. Of a thousand nodes, each appears ten times on
   * average.
   */
  private static final int ROWS_ASKED = 10_000;

  /** Returns the nodes of a row, the owner first. The array must not be changed. */
  int[] of(RowKey row) {
    return replicas.apply(row);
  }

  @Override
  public List<String> nodes(RowKey row) {
    return IntStream.of(of(row)).mapToObj(names::get).toList();
  }

  static NodePlacement of(Ring ring) {
    return new NodePlacement(ring.names(), row -> ring.replicas(row.toString()));
  }

  /**
   * Asks the store where many rows would be stored. A store that reports no nodes counts as one
   * node.
   */
  static NodePlacement of(WideColumnStore store) {
    TreeSet<String> found = new TreeSet<>();
    for (int shard = 0; shard < ROWS_ASKED; shard++) {
      found.addAll(store.placement(new RowKey(Hour.FIRST, "where", shard)));
    }
    List<String> names = found.isEmpty() ? List.of(ONE) : List.copyOf(found);
    return new NodePlacement(names, row -> nodes(store.placement(row), names));
  }

  private static int[] nodes(List<String> placement, List<String> names) {
    if (placement.isEmpty() && names.equals(List.of(ONE))) {
      return new int[1];
    }
    int[] nodes = placement.stream().mapToInt(names::indexOf).toArray();
    if (IntStream.of(nodes).anyMatch(node -> node < 0)) {
      throw new LoadFailure("the cluster's nodes changed during the run: " + placement);
    }
    if (nodes.length == 0) {
      throw new LoadFailure("the store does not say any more where rows live");
    }
    return nodes;
  }
}
