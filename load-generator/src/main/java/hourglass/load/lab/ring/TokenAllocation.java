package hourglass.load.lab.ring;

import java.util.SplittableRandom;

/** How the nodes of a new ring get their tokens. */
public enum TokenAllocation {
  /**
   * Node by node, each taking from those that own the most, as a cluster does that grows with
   * {@code allocate_tokens_for_local_replication_factor}.
   */
  ALLOCATED {
    @Override
    public long[][] tokens(int nodes, int vnodes, long seed) {
      return new GrowingTokens(nodes, vnodes, new SplittableRandom(seed)).grow();
    }
  },

  /** Equal stretches, given to the nodes in turn, as the sandbox does. */
  EVEN {
    @Override
    public long[][] tokens(int nodes, int vnodes, long seed) {
      long arc = Long.divideUnsigned(-1, (long) nodes * vnodes);
      long[][] tokens = new long[nodes][vnodes];
      for (int i = 0; i < nodes * vnodes; i++) {
        tokens[i % nodes][i / nodes] = Long.MIN_VALUE + arc * (i + 1);
      }
      return tokens;
    }
  },

  /** By chance, as clusters did before there was an allocator: some nodes own far more. */
  RANDOM {
    @Override
    public long[][] tokens(int nodes, int vnodes, long seed) {
      SplittableRandom random = new SplittableRandom(seed);
      long[][] tokens = new long[nodes][];
      for (int node = 0; node < nodes; node++) {
        tokens[node] = random.longs(vnodes).toArray();
      }
      return tokens;
    }
  };

  /**
   * The tokens of each node; the same arguments give the same.
   *
   * @param nodes at least 1
   * @param vnodes tokens a node, at least 1
   */
  public abstract long[][] tokens(int nodes, int vnodes, long seed);
}
