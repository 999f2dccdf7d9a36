package hourglass.config.gate;

import io.netty.util.NetUtil;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A host and its port, as in the headers {@code Host} and {@code Origin}. Immutable.
 *
 * @param host a name in lower case without a trailing dot, or an IP address in its one text form,
 *     an IPv6 address without brackets
 * @param port {@link #NO_PORT} if none is given
 */
record Authority(String host, int port, boolean isAddress) {
  static final int NO_PORT = -1;
  private static final int HOST_LENGTH_MAX = 253;
  private static final int PORT_MAX = 65_535;

  /**
   * The form of a host and a port without its leading zeros. The digits of the port may be missing
   * after its colon.
   */
  private static final Pattern FORM =
      Pattern.compile("(\\[[^]]*]|[^:\\[][^:]*)(?::(?:0*(\\d{1,5}))?)?");

  private static final Pattern NAME =
      Pattern.compile("[a-z0-9_]([a-z0-9_-]*)(\\.[a-z0-9_][a-z0-9_-]*)*");

  // The only form of an IPv4 address: 127.1, 0x7f.1 and 2130706433 are names that no DNS contains.
  // Browsers rewrite them before they send a request.
  private static final Pattern IPV4 =
      Pattern.compile(
          "(0|[1-9]\\d{0,2})\\.(0|[1-9]\\d{0,2})\\.(0|[1-9]\\d{0,2})\\.(0|[1-9]\\d{0,2})");

  /**
   * Reads an authority, such as {@code localhost:8080} or {@code [::1]}. Returns null if the text
   * is not an authority.
   */
  static @Nullable Authority parse(String text) {
    Matcher parts = FORM.matcher(text);
    if (!parts.matches()) {
      return null;
    }
    String host = parts.group(1).toLowerCase(Locale.ROOT);
    int port = parts.group(2) == null ? NO_PORT : Integer.parseInt(parts.group(2));
    if (port > PORT_MAX) {
      return null;
    }
    return host.startsWith("[") ? ipv6(host, port) : nameOrIpv4(host, port);
  }

  private static @Nullable Authority ipv6(String host, int port) {
    String bare = host.substring(1, host.length() - 1);
    byte[] bytes = bare.contains("%") ? null : NetUtil.createByteArrayFromIpAddressString(bare);
    return bytes == null || bytes.length != AddressRange.IPV6_BYTES || !bare.contains(":")
        ? null
        : new Authority(AddressRange.text(bytes), port, true);
  }

  private static @Nullable Authority nameOrIpv4(String host, int port) {
    String bare = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
    if (IPV4.matcher(bare).matches() && NetUtil.isValidIpV4Address(bare)) {
      return new Authority(bare, port, true);
    }
    return bare.length() <= HOST_LENGTH_MAX && NAME.matcher(bare).matches()
        ? new Authority(bare, port, false)
        : null;
  }

  int portOr(int usual) {
    return port == NO_PORT ? usual : port;
  }
}
