package hourglass.load.lab;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.load.command.LoadFailure;
import hourglass.store.WideColumnStore;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * The nodes of a store, learnt by asking where many rows would live; the store's own token map says
 * so, from memory. A store that knows of no nodes counts as one.
 */
final class StoreNodes implements NodePlacement {
  private static final String ONE = "this store";

  /** Of a thousand nodes, each is met ten times on average. */
  private static final int ROWS_ASKED = 10_000;

  private final WideColumnStore store;
  private final List<String> names;

  private StoreNodes(WideColumnStore store, List<String> names) {
    this.store = store;
    this.names = names;
  }

  static StoreNodes of(WideColumnStore store) {
    TreeSet<String> found = new TreeSet<>();
    for (int shard = 0; shard < ROWS_ASKED; shard++) {
      found.addAll(store.placement(new RowKey(Hour.FIRST, "where", shard)));
    }
    return new StoreNodes(store, found.isEmpty() ? List.of(ONE) : new ArrayList<>(found));
  }

  @Override
  public List<String> names() {
    return names;
  }

  @Override
  public int[] of(RowKey row) {
    List<String> placement = store.placement(row);
    if (placement.isEmpty() && names.equals(List.of(ONE))) {
      return new int[1];
    }
    int[] nodes = placement.stream().mapToInt(names::indexOf).toArray();
    for (int node : nodes) {
      if (node < 0) {
        throw new LoadFailure("the cluster's nodes changed during the run: " + placement);
      }
    }
    if (nodes.length == 0) {
      throw new LoadFailure("the store does not say any more where rows live");
    }
    return nodes;
  }
}
