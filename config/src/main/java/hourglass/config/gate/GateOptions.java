package hourglass.config.gate;

import java.util.List;

/**
 * The host names and origins whose requests are accepted.
 *
 * @param anyHost whether every host name is accepted
 * @param allowedHosts names of the server besides {@code host}, localhost and IP addresses
 * @param allowedOrigins origins of web pages that may send requests, besides the server's own
 */
public record GateOptions(
    String host, boolean anyHost, List<String> allowedHosts, List<String> allowedOrigins) {

  /**
   * Returns the name. Throws {@link IllegalArgumentException} if no request can contain it as its
   * host.
   */
  public static String checkedHost(String name) {
    Authority authority = Authority.parse(name);
    if (authority == null || authority.port() != Authority.NO_PORT) {
      throw new IllegalArgumentException(name + ": not a host name or an address");
    }
    return name;
  }

  /**
   * Returns the origin. Throws {@link IllegalArgumentException} if no browser sends such an origin.
   */
  public static String checkedOrigin(String origin) {
    Origins.read(origin);
    return origin;
  }
}
