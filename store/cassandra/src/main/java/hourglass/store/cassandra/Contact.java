package hourglass.store.cassandra;

import java.net.InetSocketAddress;

/** Parses the address of a node. */
final class Contact {
  private static final int DEFAULT_PORT = 9042;

  private Contact() {}

  /**
   * Parses {@code host}, {@code host:port} or {@code [ipv6]:port}, without resolving the host.
   *
   * @throws IllegalArgumentException if the host is blank or the port is invalid
   */
  static InetSocketAddress parse(String text) {
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
}
