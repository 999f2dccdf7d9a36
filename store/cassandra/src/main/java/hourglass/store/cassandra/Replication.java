package hourglass.store.cassandra;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The replication factors of a keyspace to be created, by datacenter. */
final class Replication {
  /** With three copies, a quorum survives the loss of a node. */
  private static final int FACTOR = 3;

  private Replication() {}

  /**
   * Parses {@code 3} (with datacenter '') or {@code dc1:3,dc2:2}.
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

  /** The CQL of a configured replication. */
  static String cql(String text, String datacenter) {
    return cql(parse(text), datacenter);
  }

  /** The CQL of the default replication. */
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
