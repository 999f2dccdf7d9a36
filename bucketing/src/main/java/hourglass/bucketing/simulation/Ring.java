package hourglass.bucketing.simulation;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.shards.Placement;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.IntStream;

/**
 * The nodes on a ring of tokens. A key belongs to the node of the first token at or after its own,
 * and its copies to the next nodes (SimpleStrategy). Immutable.
 *
 * <pre>
 *   token      -9        -2         4        7
 *   node        1         0         1        0
 *   owns   (7, -9]  (-9, -2]   (-2, 4]   (4, 7]
 * </pre>
 */
public final class Ring implements Placement {
  static final double WHOLE = 0x1p64;

  private final List<String> names;

  private final long[] tokens;

  /** The nodes of each token, the owner first. */
  private final int[][] replicas;

  /** The names of the nodes of each token, in the same order. */
  private final List<List<String>> namedReplicas;

  /**
   * Creates a ring.
   *
   * @param nodesByToken the nodes, numbered from 0
   * @param replication the copies of a key, 1 to the number of nodes
   */
  public Ring(SortedMap<Long, Integer> nodesByToken, int replication) {
    int[] owners = nodesByToken.values().stream().mapToInt(Integer::intValue).toArray();
    int nodes = (int) IntStream.of(owners).distinct().count();
    if (replication < 1 || replication > nodes) {
      throw new IllegalArgumentException("replication: " + replication + ", want 1 to " + nodes);
    }
    names = IntStream.rangeClosed(1, nodes).mapToObj(node -> "node " + node).toList();
    tokens = nodesByToken.keySet().stream().mapToLong(Long::longValue).toArray();
    replicas = new int[owners.length][];
    Arrays.setAll(replicas, token -> walk(owners, token, replication));
    namedReplicas =
        Arrays.stream(replicas)
            .map(each -> IntStream.of(each).mapToObj(names::get).toList())
            .toList();
  }

  private static int[] walk(int[] owners, int from, int count) {
    return IntStream.range(0, owners.length)
        .map(step -> owners[(from + step) % owners.length])
        .distinct()
        .limit(count)
        .toArray();
  }

  /**
   * Returns the number of tokens in {@code (before, token]}, which is all of them if the two are
   * equal.
   */
  static double distance(long before, long token) {
    long steps = token - before;
    return steps > 0 ? steps : WHOLE + steps;
  }

  /** Returns the names of the nodes, which are numbered from 0. */
  public List<String> names() {
    return names;
  }

  /** Returns the names of the nodes of a row, the owner first. */
  @Override
  public List<String> nodes(RowKey row) {
    return namedReplicas.get(token(row.toString().getBytes(StandardCharsets.UTF_8)));
  }

  /** Returns the nodes of a key, the owner first. The array must not be changed. */
  public int[] replicas(String key) {
    return replicas(key.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the nodes of the bytes of a key, like {@link #replicas(String)}. */
  public int[] replicas(byte[] key) {
    return replicas[token(key)];
  }

  /** Returns the number of the first token at or after that of a key. */
  private int token(byte[] key) {
    int found = Arrays.binarySearch(tokens, Murmur3Token.of(key));
    return found >= 0 ? found : -found - 1 == tokens.length ? 0 : -found - 1;
  }
}
