package hourglass.load.lab.ring;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Tokens of a ring that grew node by node, as Cassandra allocates them for one replica
 * (NoReplicationTokenAllocator, CASSANDRA-15600): a new node cuts the largest arcs of the nodes
 * that own the most, so that all own the same. For one use.
 */
final class GrowingTokens {
  /** The tokens {@code (before, token]}, around the end if need be. */
  private record Arc(long before, long token) {
    double size() {
      return Ring.distance(before, token);
    }
  }

  /** An arc is never taken whole. */
  private static final double CUT_MAX = 0.99;

  private final int nodes;
  private final int vnodes;
  private final SplittableRandom random;
  private final TreeMap<Long, Integer> owners = new TreeMap<>();

  GrowingTokens(int nodes, int vnodes, SplittableRandom random) {
    this.nodes = nodes;
    this.vnodes = vnodes;
    this.random = random;
  }

  /** Returns nodes by token. */
  SortedMap<Long, Integer> grow() {
    first();
    for (int node = 1; node < nodes; node++) {
      add(node);
    }
    return owners;
  }

  /** The first node owns everything; its tokens only mark later cuts. */
  private void first() {
    double[] widths = random.doubles(vnodes, 0.75, 1.25).toArray();
    double sum = IntStream.range(0, vnodes).mapToDouble(i -> widths[i]).sum();
    long token = random.nextLong();
    for (int i = 0; i < vnodes; i++) {
      owners.put(token, 0);
      token += 2 * (long) (widths[i] / sum * (Ring.WHOLE / 2));
    }
  }

  private void add(int node) {
    List<List<Arc>> arcs = arcs(node);
    double[] owned =
        arcs.stream().mapToDouble(all -> all.stream().mapToDouble(Arc::size).sum()).toArray();
    List<Integer> byOwned =
        IntStream.range(0, node)
            .boxed()
            .sorted(Comparator.comparingDouble((Integer n) -> owned[n]).reversed())
            .toList();
    List<Integer> donors = new ArrayList<>();
    double sum = 0;
    double target = 0;
    for (int donor : byOwned) {
      double average = (sum + owned[donor]) / (donors.size() + 2);
      if (donors.size() == vnodes || owned[donor] <= average) {
        break;
      }
      donors.add(donor);
      sum += owned[donor];
      target = average;
    }
    for (int i = 0; i < donors.size(); i++) {
      int cuts = vnodes / donors.size() + (i < vnodes % donors.size() ? 1 : 0);
      int donor = donors.get(i);
      cut(node, arcs.get(donor), cuts, owned[donor] - target);
    }
  }

  private List<List<Arc>> arcs(int count) {
    List<List<Arc>> arcs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      arcs.add(new ArrayList<>());
    }
    long before = owners.lastKey();
    for (Map.Entry<Long, Integer> entry : owners.entrySet()) {
      arcs.get(entry.getValue()).add(new Arc(before, entry.getKey()));
      before = entry.getKey();
    }
    return arcs;
  }

  /** Takes the same part of each of the largest arcs. */
  private void cut(int node, List<Arc> arcs, int cuts, double amount) {
    arcs.sort(Comparator.comparingDouble(Arc::size).reversed());
    List<Arc> largest = arcs.subList(0, cuts);
    double available = largest.stream().mapToDouble(Arc::size).sum();
    double part = Math.min(CUT_MAX, amount / available);
    for (Arc arc : largest) {
      owners.put(arc.before() + (long) (arc.size() * part), node);
    }
  }
}
