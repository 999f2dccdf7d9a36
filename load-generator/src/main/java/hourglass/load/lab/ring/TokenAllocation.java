package hourglass.load.lab.ring;

import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** The tokens of a new ring's nodes; named as on the command line. */
public enum TokenAllocation {
  /**
   * Each node takes from those that own the most, as a cluster does that grows with {@code
   * allocate_tokens_for_local_replication_factor}.
   */
  allocated,

  /** Equal arcs, given to the nodes in turn, as the sandbox does. */
  even,

  /** As before there was an allocator: some nodes own far more. */
  random;

  /** Nodes by token, {@code vnodes} of each; the same arguments give the same. */
  public SortedMap<Long, Integer> nodesByToken(int nodes, int vnodes, long seed) {
    SplittableRandom chance = new SplittableRandom(seed);
    if (this == allocated) {
      return new GrowingTokens(nodes, vnodes, chance).grow();
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
}
