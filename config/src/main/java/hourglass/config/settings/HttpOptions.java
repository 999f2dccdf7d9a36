package hourglass.config.settings;

import hourglass.config.gate.AddressRange;
import hourglass.config.gate.GateOptions;
import hourglass.config.gate.tls.ClientCertificates;
import hourglass.config.gate.tls.TlsOptions;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
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

  /** Reads the options. Reports a host that other machines can reach without permission. */
  static HttpOptions read(SettingsReader reader, boolean hasKeys) {
    HttpOptions http =
        new HttpOptions(
            reader.get("http.host", Kinds.NAME),
            reader.get("http.port", Kinds.count(0, 65_535)),
            reader.get("http.allow-open", Kinds.TRUTH),
            reader.get("http.allowed-hosts", Kinds.list(GateOptions::checkedHost)),
            reader.get("http.allowed-origins", Kinds.list(GateOptions::checkedOrigin)),
            reader.get("http.trusted-proxies", Kinds.list(AddressRange::parse)),
            // The default exceeds the usual keep-alive of clients and proxies (60 s), so they close
            // first.
            reader.get("http.idle-timeout", Kinds.duration("1 s", "1 d")),
            // Room for a long query with a filter.
            Math.toIntExact(reader.get("http.max-header-bytes", Kinds.bytes(1 << 10, 1 << 20))),
            // Each connection occupies a few KB of heap.
            reader.get("http.max-connections", Kinds.count(1, 1_000_000)),
            readTls(reader));
    refuseOpen(reader, http, hasKeys);
    return http;
  }

  /** Reads the options of TLS. Returns null if there is no certificate. */
  private static @Nullable TlsOptions readTls(SettingsReader reader) {
    Path cert = reader.file("http.tls.cert");
    Path key = reader.file("http.tls.key");
    Path clientCa = reader.file("http.tls.client-ca");
    ClientCertificates clients =
        reader.get(
            "http.tls.client-auth",
            Kinds.text(Kinds.word(EnumSet.allOf(ClientCertificates.class))));
    boolean asks = clients != ClientCertificates.NONE;
    if ((cert == null) != (key == null)) {
      reader.refuse(
          cert == null ? "http.tls.cert" : "http.tls.key",
          "http.tls.cert and http.tls.key, or neither");
    }
    if (asks && cert == null) {
      reader.refuse("http.tls.client-auth", "none, or http.tls.cert and http.tls.key");
    }
    if (asks == (clientCa == null)) {
      reader.refuse(
          "http.tls.client-ca",
          asks
              ? "the file of the authorities of clients, or http.tls.client-auth = none"
              : "no file, or http.tls.client-auth = optional or required");
    }
    return cert == null || key == null ? null : new TlsOptions(cert, key, clientCa, clients);
  }

  /**
   * Reports an unknown host, and a host that is reachable from other machines without permission.
   */
  private static void refuseOpen(SettingsReader reader, HttpOptions http, boolean hasKeys) {
    try {
      boolean isOpen = !InetAddress.getByName(http.host()).isLoopbackAddress();
      if (isOpen && !hasKeys && !http.allowOpen()) {
        reader.refusePart(
            "http.host",
            http.host(),
            "reachable from other machines without keys; want keys.file, a loopback address such as"
                + " 127.0.0.1, or http.allow-open = true");
      }
    } catch (UnknownHostException e) {
      reader.refusePart("http.host", http.host(), "unknown host; want a name or an address");
    }
  }
}
