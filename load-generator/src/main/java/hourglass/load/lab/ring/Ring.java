package hourglass.load.lab.ring;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Nodes on a ring of tokens. A key belongs to the node of the first token at or after its own, and
 * its copies to the next nodes (SimpleStrategy). Immutable.
 *
 * <pre>
 *   token      -9        -2         4        7
 *   node        1         0         1        0
 *   owns   (7, -9]  (-9, -2]   (-2, 4]   (4, 7]
 * </pre>
 */
public final class Ring {
  static final double WHOLE = 0x1p64;

  private final int nodes;
  private final long[] tokens;

  /** By token, the owner first. */
  private final int[][] replicas;

  /**
   * @param tokensByNode all different
   * @param replication copies of a key, 1 to the number of nodes
   */
  public Ring(long[][] tokensByNode, int replication) {
    nodes = tokensByNode.length;
    if (replication < 1 || replication > nodes) {
      throw new IllegalArgumentException("replication: " + replication + ", want 1 to " + nodes);
    }
    record Place(long token, int node) {}
    Place[] places =
        IntStream.range(0, nodes)
            .boxed()
            .flatMap(
                node -> Arrays.stream(tokensByNode[node]).mapToObj(token -> new Place(token, node)))
            .sorted(Comparator.comparingLong(Place::token))
            .toArray(Place[]::new);
    tokens = Arrays.stream(places).mapToLong(Place::token).toArray();
    int[] owners = Arrays.stream(places).mapToInt(Place::node).toArray();
    replicas = new int[tokens.length][];
    for (int i = 0; i < tokens.length; i++) {
      if (i > 0 && tokens[i] == tokens[i - 1]) {
        throw new IllegalArgumentException("token " + tokens[i] + " is there twice");
      }
      replicas[i] = walk(owners, i, replication);
    }
  }

  private static int[] walk(int[] owners, int from, int count) {
    return IntStream.range(0, owners.length)
        .map(step -> owners[(from + step) % owners.length])
        .distinct()
        .limit(count)
        .toArray();
  }

  /** Tokens in {@code (before, token]}; all if the two are equal. */
  static double distance(long before, long token) {
    long steps = token - before;
    return steps > 0 ? steps : WHOLE + steps;
  }

  /** The number of nodes, which are numbered from 0. */
  public int nodes() {
    return nodes;
  }

  /** The owner first; not to be changed. */
  public int[] replicas(String key) {
    int found = Arrays.binarySearch(tokens, Murmur3Token.of(key));
    int place = found >= 0 ? found : -found - 1;
    return replicas[place == tokens.length ? 0 : place];
  }

  public double[] ownership() {
    double[] shares = new double[nodes];
    for (int i = 0; i < tokens.length; i++) {
      long before = tokens[i == 0 ? tokens.length - 1 : i - 1];
      shares[replicas[i][0]] += distance(before, tokens[i]) / WHOLE;
    }
    return shares;
  }
}
