package hourglass.store.cassandra;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** How many nodes of which datacenter keep each row, for a keyspace that is to be made. */
final class Replication {
  /** What quorums want: one node may be away. */
  private static final int FACTOR = 3;

  private Replication() {}

  /**
   * Reads {@code 3} (then the datacenter is '') or {@code dc1:3,dc2:2}.
   *
   * @throws IllegalArgumentException naming the text
   */
  static Map<String, Integer> parse(String text) {
    Map<String, Integer> factors = new TreeMap<>();
    try {
      for (String part : text.split(",", -1)) {
        int colon = part.lastIndexOf(':');
        int factor = Integer.parseInt(part.substring(colon + 1).strip());
        if (factor < 1
            || factors.put(part.substring(0, Math.max(0, colon)).strip(), factor) != null) {
          throw new NumberFormatException(part);
        }
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "replication: \"" + text + "\", want a number from 1, or dc1:3,dc2:3", e);
    }
    if (factors.containsKey("") && factors.size() > 1) {
      throw new IllegalArgumentException("replication: \"" + text + "\", name every datacenter");
    }
    return factors;
  }

  /** The CQL of a replication that was asked for. */
  static String cql(String text, String datacenter) {
    return cql(parse(text), datacenter);
  }

  /** The CQL of the replication that nothing was said about. */
  static String cql(int nodes, String datacenter) {
    return cql(Map.of("", Math.min(FACTOR, nodes)), datacenter);
  }

  private static String cql(Map<String, Integer> factors, String datacenter) {
    return factors.entrySet().stream()
        .map(
            entry ->
                "'"
                    + (entry.getKey().isEmpty() ? datacenter : entry.getKey()).replace("'", "''")
                    + "': "
                    + entry.getValue())
        .collect(Collectors.joining(", ", "{'class': 'NetworkTopologyStrategy', ", "}"));
  }
}
