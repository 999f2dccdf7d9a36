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
 * How the program listens.
 *
 * @param port 0: any free one
 * @param allowOpen whether {@code host} may be reachable from other machines
 * @param allowedHosts names of the server, beside {@code host}, localhost and IP addresses
 * @param allowedOrigins of web pages that may send requests, beside the server's own
 * @param trustedProxies trusted to send X-Forwarded-For
 * @param idleTimeout closes a connection without a request, or whose client neither sends nor takes
 * @param headerBytesMax of the request line and of all headers together, each
 * @param connectionsMax while so many are open, clients with few get places of idle ones
 * @param tls null: plain HTTP
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
   * Idle: longer than the usual keep-alive of clients and proxies (60 s), so that they close first.
   * Headers: a long query with a filter fits. Connections: a few KB of heap each.
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

  /** Whether others than this machine can read what passes: a host that is unknown counts so. */
  public boolean isReadOnTheWay() {
    try {
      return tls == null && !InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return tls == null;
    }
  }

  /** An open port without a list is behind something that looks at names. */
  public GateOptions gate() {
    boolean anyHost = allowOpen && allowedHosts.isEmpty();
    return new GateOptions(host, anyHost, allowedHosts, allowedOrigins);
  }
}
