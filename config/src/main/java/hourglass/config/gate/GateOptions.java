package hourglass.config.gate;

import java.util.List;

/**
 * The requests that are let in, by host name and origin.
 *
 * @param allowedHosts names of the server, beside {@code host}, localhost and IP addresses
 * @param allowedOrigins of web pages that may send requests, beside the server's own
 */
public record GateOptions(
    String host, boolean anyHost, List<String> allowedHosts, List<String> allowedOrigins) {

  /** Throws {@link IllegalArgumentException} where no request can be for the name. */
  public static String checkedHost(String name) {
    Authority authority = Authority.parse(name);
    if (authority == null || authority.port() != Authority.NO_PORT) {
      throw new IllegalArgumentException(name + ": not a host name or an address");
    }
    return name;
  }

  /** Throws {@link IllegalArgumentException} where no browser sends the origin. */
  public static String checkedOrigin(String origin) {
    Origins.read(origin);
    return origin;
  }
}
