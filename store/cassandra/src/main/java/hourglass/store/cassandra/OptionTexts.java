package hourglass.store.cassandra;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Parses the texts of options; every failure is an IllegalArgumentException with the text. */
final class OptionTexts {
  private static final int DEFAULT_PORT = 9042;

  /**
   * The levels that are valid for both reads and writes, which excludes ANY and the serial levels.
   */
  private static final List<String> CONSISTENCY_LEVELS =
      List.of("ONE", "TWO", "THREE", "QUORUM", "ALL", "LOCAL_QUORUM", "LOCAL_ONE");

  private OptionTexts() {}

  /** Parses {@code host}, {@code host:port} or {@code [ipv6]:port}, without resolving the host. */
  static InetSocketAddress contactPoint(String text) {
    int colon = text.lastIndexOf(':');
    boolean hasPort = colon > 0 && (text.indexOf(':') == colon || text.charAt(colon - 1) == ']');
    String host = (hasPort ? text.substring(0, colon) : text).replaceAll("[\\[\\]]", "");
    try {
      int port = hasPort ? Integer.parseInt(text.substring(colon + 1)) : DEFAULT_PORT;
      if (host.isBlank()) {
        throw new IllegalArgumentException("contactPoints: \"" + text + "\" names no host");
      }
      return InetSocketAddress.createUnresolved(host, port);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("contactPoints: \"" + text + "\" is not host:port", e);
    }
  }

  static void requireConsistency(String name) {
    if (!CONSISTENCY_LEVELS.contains(name)) {
      throw new IllegalArgumentException(
          "consistency: \"" + name + "\", want one of " + CONSISTENCY_LEVELS);
    }
  }

  /** Parses the factors of datacenters: {@code dc1:3,dc2:2}, or {@code 3} with datacenter "". */
  static Map<String, Integer> replication(String text) {
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
}
