package hourglass.bucketing.shards;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Chooses rows that load nodes evenly: a greedy choice, improved by exchanges of single rows while
 * the sum of the squares of the loads shrinks.
 */
final class BalancedChoice {
  private static final int SWEEPS_MAX = 8;

  /** The weight of a row that is filled now, against 1 for a row of other times. */
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

  /** Counts a row of other times or writers: the choice may even out its load. */
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
    return keptBy.stream()
        .mapToInt(node -> nodes.computeIfAbsent(node, n -> nodes.size()))
        .toArray();
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
    int[] order = shuffled(random);
    int picks = Math.min(count, order.length);
    for (int i = 0; i < picks; i++) {
      swap(order, i, best(order, i, order.length));
      load(order[i], NOW);
    }
    improve(order, picks);
    return Arrays.stream(order, 0, picks).mapToObj(shards::get).toList();
  }

  private void improve(int[] order, int picks) {
    boolean better = picks < order.length;
    for (int sweep = 0; better && sweep < SWEEPS_MAX; sweep++) {
      better = false;
      for (int i = 0; i < picks; i++) {
        load(order[i], -NOW);
        int other = best(order, picks, order.length);
        if (cost(order[other]) < cost(order[i])) {
          swap(order, i, other);
          better = true;
        }
        load(order[i], NOW);
      }
    }
  }

  private int best(int[] order, int from, int to) {
    int best = from;
    for (int i = from + 1; i < to; i++) {
      if (cost(order[i]) < cost(order[best])) {
        best = i;
      }
    }
    return best;
  }

  /** Half of the increase of the sum of squares by one more row, up to a constant. */
  private int cost(int row) {
    int cost = 0;
    for (int node : replicas.get(row)) {
      cost += loads[node];
    }
    return cost;
  }

  private void load(int row, int by) {
    for (int node : replicas.get(row)) {
      loads[node] += by;
    }
  }

  private int[] shuffled(RandomGenerator random) {
    int[] order = IntStream.range(0, shards.size()).toArray();
    for (int i = order.length - 1; i > 0; i--) {
      swap(order, i, random.nextInt(i + 1));
    }
    return order;
  }

  private static void swap(int[] order, int i, int j) {
    int kept = order[i];
    order[i] = order[j];
    order[j] = kept;
  }
}
