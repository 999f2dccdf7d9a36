package hourglass.config.settings;

import hourglass.config.gate.AddressRange;
import hourglass.config.gate.GateOptions;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;

final class HttpSettings {
  static final SettingGroup ALL = new SettingGroup("http");

  private static final HttpOptions DEFAULT = HttpOptions.DEFAULT;

  private static final Setting<String> HOST =
      ALL.key("host", Kinds.text("a host name or an address"), DEFAULT.host())
          .about(
              "The address to listen on. Beyond loopback only with `keys.file` or `http.allow-open`.");
  private static final Setting<Integer> PORT =
      ALL.key("port", Kinds.count(0, 65_535, " (0: any free port)"), DEFAULT.port())
          .about("The port to listen on; 0 takes any free one and prints it.");
  private static final Setting<Boolean> ALLOW_OPEN =
      ALL.key("allow-open", Kinds.truth(), DEFAULT.allowOpen())
          .about(
              "Whether to listen beyond loopback without `keys.file`: any client of the port may then"
                  + " read and write. For a port behind a proxy that checks clients.");
  private static final Setting<List<String>> ALLOWED_HOSTS =
      ALL.key(
              "allowed-hosts",
              Kinds.list(
                  "a list of host names or addresses without ports", GateOptions::checkedHost),
              DEFAULT.allowedHosts())
          .about(
              "Names of this server, beside `localhost`, IP addresses and `http.host`; a request for"
                  + " another one is answered with 421. With `http.allow-open` and an empty list any name"
                  + " will do.");
  private static final Setting<List<String>> ALLOWED_ORIGINS =
      ALL.key(
              "allowed-origins",
              Kinds.list(
                  "a list of origins such as https://logs.example:8443",
                  GateOptions::checkedOrigin),
              DEFAULT.allowedOrigins())
          .about(
              "Web pages that may send requests and read the answers, beside the server's own; those of"
                  + " others are answered with 403.");
  private static final Setting<List<AddressRange>> TRUSTED_PROXIES =
      ALL.key(
              "trusted-proxies",
              Kinds.list("a list of addresses or ranges such as 10.0.0.0/8", AddressRange::parse),
              DEFAULT.trustedProxies())
          .about(
              "Proxies in front whose `X-Forwarded-For` is believed; without them the client is the"
                  + " peer of the connection. Limits count by it, IPv6 clients by /64.");
  private static final Setting<Duration> IDLE_TIMEOUT =
      ALL.key("idle-timeout", Kinds.duration("1 s", "1 d"), DEFAULT.idleTimeout())
          .about(
              "A connection without a request for that long is closed, and so is one whose client"
                  + " neither sends what it announced nor takes its answer. Never one that waits for the"
                  + " server.");
  private static final Setting<Long> MAX_HEADER_BYTES =
      ALL.key("max-header-bytes", Kinds.bytes(1 << 10, 1 << 20), (long) DEFAULT.headerBytesMax())
          .about(
              "The request line, and all headers together, may be that long each. A request has at"
                  + " most 200 headers.");
  private static final Setting<Integer> MAX_CONNECTIONS =
      ALL.key("max-connections", Kinds.count(1, 1_000_000), DEFAULT.connectionsMax())
          .about(
              "Connections of all clients. While so many are open, a new one is closed at once, unless"
                  + " its address has fewer than another: then it gets the place of the other's"
                  + " longest-idle connection. One with a request or a tail under way is not cut.");

  private HttpSettings() {}

  static HttpOptions read(SettingsReader reader, boolean hasKeys) {
    HttpOptions http =
        new HttpOptions(
            reader.get(HOST),
            reader.get(PORT),
            reader.get(ALLOW_OPEN),
            reader.get(ALLOWED_HOSTS),
            reader.get(ALLOWED_ORIGINS),
            reader.get(TRUSTED_PROXIES),
            reader.get(IDLE_TIMEOUT),
            Math.toIntExact(reader.get(MAX_HEADER_BYTES)),
            reader.get(MAX_CONNECTIONS),
            TlsSettings.read(reader));
    refuseOpen(reader, http, hasKeys);
    return http;
  }

  /**
   * Reports an unknown host, and a host that is reachable from other machines without permission.
   */
  private static void refuseOpen(SettingsReader reader, HttpOptions http, boolean hasKeys) {
    try {
      boolean isOpen = !InetAddress.getByName(http.host()).isLoopbackAddress();
      if (isOpen && !hasKeys && !http.allowOpen()) {
        reader.add(
            "http.host = %s: reachable from other machines without keys; want keys.file, a loopback address such as 127.0.0.1, or http.allow-open = true"
                .formatted(http.host()));
      }
    } catch (UnknownHostException e) {
      reader.add("http.host = %s: unknown host; want a name or an address".formatted(http.host()));
    }
  }
}
