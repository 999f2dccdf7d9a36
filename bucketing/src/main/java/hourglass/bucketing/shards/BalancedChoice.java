package hourglass.bucketing.shards;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Chooses rows that load nodes evenly. A greedy choice is improved by exchanges of single rows
 * while the sum of the squares of the loads shrinks.
 */
final class BalancedChoice {
  private static final int SWEEPS_MAX = 8;

  /** The weight of a row that is filled now. A row of other times weighs 1. */
  private static final int NOW = 64;

  private final Map<String, Integer> nodes = new HashMap<>();
  private final List<Integer> shards = new ArrayList<>();
  private final List<int[]> replicas = new ArrayList<>();
  private int[] loads = new int[0];

  void offer(int shard, List<String> keptBy) {
    shards.add(shard);
    replicas.add(indexes(keptBy));
  }

  /** Counts a row that is filled together with the chosen rows. */
  void countBeside(List<String> keptBy) {
    count(keptBy, NOW);
  }

  /** Counts a row of other times or writers, whose load the choice may even out. */
  void countElsewhere(List<String> keptBy) {
    count(keptBy, 1);
  }

  private void count(List<String> keptBy, int weight) {
    int[] counted = indexes(keptBy);
    loads = Arrays.copyOf(loads, nodes.size());
    for (int node : counted) {
      loads[node] += weight;
    }
  }

  private int[] indexes(List<String> keptBy) {
    int[] indexes = new int[keptBy.size()];
    for (int i = 0; i < indexes.length; i++) {
      indexes[i] = nodes.computeIfAbsent(keptBy.get(i), node -> nodes.size());
    }
    return indexes;
  }

  int offered() {
    return shards.size();
  }

  int nodes() {
    return nodes.size();
  }

  boolean isEverywhere() {
    return replicas.stream().allMatch(row -> row.length >= nodes.size());
  }

  List<Integer> pick(int count, RandomGenerator random) {
    loads = Arrays.copyOf(loads, nodes.size());
    int picks = Math.min(count, shards.size());
    Rows rows = new Rows(shuffled(random));
    for (int place = 0; place < picks; place++) {
      rows.swap(place, rows.cheapest());
      rows.load(place, NOW);
    }
    boolean better = picks < shards.size();
    for (int sweep = 0; better && sweep < SWEEPS_MAX; sweep++) {
      better = false;
      for (int place = 0; place < picks; place++) {
        rows.load(place, -NOW);
        if (rows.cost(rows.cheapest()) < rows.cost(place)) {
          rows.swap(place, rows.cheapest());
          better = true;
        }
        rows.load(place, NOW);
      }
    }
    return Arrays.stream(rows.order, 0, picks).mapToObj(shards::get).toList();
  }

  private int[] shuffled(RandomGenerator random) {
    int[] order = IntStream.range(0, shards.size()).toArray();
    for (int i = order.length - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      int kept = order[i];
      order[i] = order[other];
      order[other] = kept;
    }
    return order;
  }

  /**
   * The rows in an order of places. The cost of a row is half of the increase of the sum of squares
   * by one more such row, up to a constant. A tree of minima finds the cheapest row that is not
   * loaded; with a thousand nodes, a linear search would use a second of CPU for each choice.
   */
  private final class Rows {
    private static final long LOADED = Long.MAX_VALUE;

    /** The row at each place. */
    private final int[] order;

    private final int[] places;
    private final int[] costs;
    private final List<List<Integer>> byNode = new ArrayList<>();

    /**
     * The tree of minima: the cost and the place of a row that is not loaded. Its leaves begin in
     * the middle.
     */
    private final long[] minima;

    Rows(int[] order) {
      this.order = order;
      places = new int[order.length];
      costs = new int[order.length];
      minima = new long[4 * Integer.highestOneBit(Math.max(1, order.length))];
      Arrays.fill(minima, LOADED);
      nodes.values().forEach(node -> byNode.add(new ArrayList<>()));
      for (int place = 0; place < order.length; place++) {
        places[order[place]] = place;
        for (int node : replicas.get(order[place])) {
          costs[order[place]] += loads[node];
          byNode.get(node).add(order[place]);
        }
        minima[minima.length / 2 + place] = key(place);
      }
      for (int at = minima.length / 2 - 1; at > 0; at--) {
        minima[at] = Math.min(minima[2 * at], minima[2 * at + 1]);
      }
    }

    private long key(int place) {
      return (long) cost(place) << 32 | place;
    }

    /** Returns the place of the first row with the lowest cost. */
    int cheapest() {
      return (int) minima[1];
    }

    int cost(int place) {
      return costs[order[place]];
    }

    /** Exchanges two rows. The row that moves to {@code loaded} is no longer offered. */
    void swap(int loaded, int other) {
      int kept = order[loaded];
      order[loaded] = order[other];
      order[other] = kept;
      places[order[loaded]] = loaded;
      places[order[other]] = other;
      offer(other, true);
      offer(loaded, false);
    }

    void load(int place, int by) {
      for (int node : replicas.get(order[place])) {
        loads[node] += by;
        for (int row : byNode.get(node)) {
          costs[row] += by;
          offer(places[row], minima[minima.length / 2 + places[row]] != LOADED);
        }
      }
    }

    private void offer(int place, boolean isOffered) {
      int at = minima.length / 2 + place;
      long minimum = isOffered ? key(place) : LOADED;
      while (at > 0 && minima[at] != minimum) {
        minima[at] = minimum;
        minimum = Math.min(minimum, minima[at ^ 1]);
        at /= 2;
      }
    }
  }
}
