package hourglass.config.http;

import java.util.List;

/**
 * The requests that are let in, by host name and origin.
 *
 * @param host the name or address that the server listens on
 * @param anyHost whether a request may be for any name
 * @param allowedHosts names that are the server's own, beside {@code host}, localhost and IP
 *     addresses
 * @param allowedOrigins of web pages that may send requests, beside the server's own
 */
public record GateOptions(
    String host, boolean anyHost, List<String> allowedHosts, List<String> allowedOrigins) {

  /**
   * Checks a name of the server, as a setting has it.
   *
   * @throws IllegalArgumentException where no request can be for it
   */
  public static String checkedHost(String name) {
    Authority authority = Authority.parse(name);
    if (authority == null || authority.port() != Authority.NO_PORT) {
      throw new IllegalArgumentException(name + ": not a host name or an address");
    }
    return name;
  }

  /**
   * Checks the origin of a web page, as a setting has it.
   *
   * @throws IllegalArgumentException where no browser sends it
   */
  public static String checkedOrigin(String origin) {
    Origins.read(origin);
    return origin;
  }
}
