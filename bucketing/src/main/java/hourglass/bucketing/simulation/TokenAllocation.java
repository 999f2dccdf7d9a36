package hourglass.bucketing.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Allocates the tokens of a new ring's nodes. The constants have the names of the command line. */
public enum TokenAllocation {
  /**
   * Each node takes tokens from the nodes that own the most, like a cluster that grows with {@code
   * allocate_tokens_for_local_replication_factor}.
   */
  allocated,

  /** The tokens form equal arcs, which are given to the nodes in turn, as the sandbox does. */
  even,

  /**
   * The tokens are random, as in clusters without an allocator, so that some nodes own far more
   * than others.
   */
  random;

  /** The largest part of an arc that is cut off, so that no arc is taken whole. */
  private static final double CUT_MAX = 0.99;

  /** The tokens {@code (before, token]}, which may continue past the end of the ring. */
  private record Arc(long before, long token) {
    double size() {
      return Ring.distance(before, token);
    }
  }

  /** The arcs of a node, and their total size. */
  private record Share(List<Arc> arcs, double size) {}

  /**
   * Returns the nodes by token, {@code vnodes} tokens for each. The same arguments return the same
   * tokens.
   */
  public SortedMap<Long, Integer> nodesByToken(int nodes, int vnodes, long seed) {
    SplittableRandom chance = new SplittableRandom(seed);
    if (this == allocated) {
      return grow(nodes, vnodes, chance);
    }
    long arc = Long.divideUnsigned(-1, (long) nodes * vnodes);
    SortedMap<Long, Integer> byToken = new TreeMap<>();
    for (int node = 0; node < nodes; node++) {
      for (int i = 0; i < vnodes; i++) {
        long evenly = Long.MIN_VALUE + arc * ((long) i * nodes + node + 1);
        byToken.put(this == even ? evenly : chance.nextLong(), node);
      }
    }
    return byToken;
  }

  /**
   * Returns the tokens of a ring that grew node by node, as Cassandra allocates them for one
   * replica (NoReplicationTokenAllocator, CASSANDRA-15600): a new node cuts the largest arcs of the
   * nodes that own the most, so that all own the same.
   */
  private static SortedMap<Long, Integer> grow(int nodes, int vnodes, SplittableRandom random) {
    SortedMap<Long, Integer> owners = first(vnodes, random);
    for (int node = 1; node < nodes; node++) {
      add(node, vnodes, owners);
    }
    return owners;
  }

  /** Returns the tokens of the first node, which owns everything. They only mark later cuts. */
  private static SortedMap<Long, Integer> first(int vnodes, SplittableRandom random) {
    double[] widths = random.doubles(vnodes, 0.75, 1.25).toArray();
    double sum = IntStream.range(0, vnodes).mapToDouble(i -> widths[i]).sum();
    SortedMap<Long, Integer> owners = new TreeMap<>();
    long token = random.nextLong();
    for (double width : widths) {
      owners.put(token, 0);
      token += 2 * (long) (width / sum * (Ring.WHOLE / 2));
    }
    return owners;
  }

  private static void add(int node, int vnodes, SortedMap<Long, Integer> owners) {
    List<Share> shares = largestFirst(node, owners);
    int donors = 0;
    double sum = 0;
    double target = 0;
    while (donors < Math.min(node, vnodes)) {
      double average = (sum + shares.get(donors).size) / (donors + 2);
      if (shares.get(donors).size <= average) {
        break;
      }
      sum += shares.get(donors++).size;
      target = average;
    }
    for (int i = 0; i < donors; i++) {
      int cuts = vnodes / donors + (i < vnodes % donors ? 1 : 0);
      cut(node, shares.get(i).arcs, cuts, shares.get(i).size - target, owners);
    }
  }

  private static List<Share> largestFirst(int nodes, SortedMap<Long, Integer> owners) {
    List<List<Arc>> arcs = new ArrayList<>();
    IntStream.range(0, nodes).forEach(node -> arcs.add(new ArrayList<>()));
    long before = owners.lastKey();
    for (Map.Entry<Long, Integer> entry : owners.entrySet()) {
      arcs.get(entry.getValue()).add(new Arc(before, entry.getKey()));
      before = entry.getKey();
    }
    return arcs.stream()
        .map(all -> new Share(all, sum(all)))
        .sorted(Comparator.comparingDouble(Share::size).reversed())
        .toList();
  }

  private static double sum(List<Arc> arcs) {
    return arcs.stream().mapToDouble(Arc::size).sum();
  }

  /** Cuts the same part off each of the largest arcs. */
  private static void cut(
      int node, List<Arc> arcs, int cuts, double amount, SortedMap<Long, Integer> owners) {
    arcs.sort(Comparator.comparingDouble(Arc::size).reversed());
    List<Arc> largest = arcs.subList(0, cuts);
    double part = Math.min(CUT_MAX, amount / sum(largest));
    largest.forEach(arc -> owners.put(arc.before() + (long) (arc.size() * part), node));
  }
}
