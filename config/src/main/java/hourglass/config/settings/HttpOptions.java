package hourglass.config.settings;

import hourglass.config.gate.AddressRange;
import hourglass.config.gate.GateOptions;
import hourglass.config.gate.tls.TlsOptions;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The options of the HTTP listener.
 *
 * @param port 0 for any free port
 * @param allowOpen whether {@code host} may be reachable from other machines
 * @param allowedHosts names of the server besides {@code host}, localhost and IP addresses
 * @param allowedOrigins origins of web pages that may send requests, besides the server's own
 * @param trustedProxies proxies that are trusted to send X-Forwarded-For
 * @param idleTimeout the time after which a connection is closed if it has no request, or if its
 *     client neither sends nor reads
 * @param headerBytesMax the size limit of the request line, and of all headers together
 * @param connectionsMax the limit of open connections; at the limit, clients with few connections
 *     get the places of idle ones
 * @param tls null for plain HTTP
 */
public record HttpOptions(
    String host,
    int port,
    boolean allowOpen,
    List<String> allowedHosts,
    List<String> allowedOrigins,
    List<AddressRange> trustedProxies,
    Duration idleTimeout,
    int headerBytesMax,
    int connectionsMax,
    @Nullable TlsOptions tls) {

  /**
   * The defaults. The idle timeout is longer than the usual keep-alive of clients and proxies (60
   * s), so that they close first. The headers have room for a long query with a filter. Each
   * connection occupies a few KB of heap.
   */
  public static final HttpOptions DEFAULT =
      new HttpOptions(
          "127.0.0.1",
          8080,
          false,
          List.of(),
          List.of(),
          List.of(),
          Duration.ofSeconds(90),
          16 << 10,
          20_000,
          null);

  /**
   * Returns whether others besides this machine can read the traffic. An unknown host counts as
   * readable.
   */
  public boolean isReadOnTheWay() {
    try {
      return tls == null && !InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return tls == null;
    }
  }

  /**
   * Returns the options of the gate. An open port without a list of hosts accepts any host name,
   * because a proxy before it is assumed to check the names.
   */
  public GateOptions gate() {
    boolean anyHost = allowOpen && allowedHosts.isEmpty();
    return new GateOptions(host, anyHost, allowedHosts, allowedOrigins);
  }
}
