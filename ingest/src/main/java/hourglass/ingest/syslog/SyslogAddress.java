package hourglass.ingest.syslog;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An address to listen on, such as {@code tcp://127.0.0.1:5514} or {@code udp://[::1]:5514}.
 * Immutable.
 *
 * @param port the port; 0 for any free one
 */
public record SyslogAddress(Transport transport, String host, int port) {
  private static final Pattern FORM =
      Pattern.compile("(tcp|udp|tls)://(\\[[0-9a-fA-F:.]+]|[^\\[\\]:/?#@\\s]+):([0-9]{1,5})");

  private static final int PORT_MAX = 65_535;

  /** The transports of messages. */
  public enum Transport {
    TCP,
    TLS,
    UDP;

    /** Returns the name that an address contains. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Reads an address. Throws IllegalArgumentException for any other text. */
  public static SyslogAddress parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches() || Integer.parseInt(matcher.group(3)) > PORT_MAX) {
      throw new IllegalArgumentException(text + ": want such as tcp://127.0.0.1:5514");
    }
    String host = matcher.group(2);
    return new SyslogAddress(
        Transport.valueOf(matcher.group(1).toUpperCase(Locale.ROOT)),
        host.startsWith("[") ? host.substring(1, host.length() - 1) : host,
        Integer.parseInt(matcher.group(3)));
  }

  SyslogAddress withPort(int bound) {
    return new SyslogAddress(transport, host, bound);
  }

  /**
   * Returns whether the host is local. Throws UnknownHostException for a name without an address.
   */
  public boolean isLoopback() throws UnknownHostException {
    return InetAddress.getByName(host).isLoopbackAddress();
  }

  @Override
  public String toString() {
    return transport.text() + "://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
