package hourglass.config.gate;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The origins of web pages that may send requests, besides the server's own. Immutable. */
final class Origins {
  /** The usual ports of the schemes that pages have. */
  private static final Map<String, Integer> USUAL_PORTS = Map.of("http", 80, "https", 443);

  private final List<Origin> allowed;

  record Origin(String scheme, String host, int port) {
    /**
     * Reads an origin such as {@code https://logs.example:8443}. Returns null if the text is not
     * the origin of a page.
     */
    static @Nullable Origin parse(String text) {
      int schemeEnd = text.indexOf("://");
      String scheme = schemeEnd < 0 ? "" : text.substring(0, schemeEnd).toLowerCase(Locale.ROOT);
      Authority authority =
          USUAL_PORTS.containsKey(scheme) ? Authority.parse(text.substring(schemeEnd + 3)) : null;
      return authority == null
          ? null
          : new Origin(scheme, authority.host(), authority.portOr(usualPort(scheme)));
    }

    /**
     * Returns whether this is the origin of the server's own page. A proxy may use HTTPS on behalf
     * of a server without TLS. If the server itself uses TLS, a plain page with its name is
     * refused, because an attacker on the network could forge it.
     */
    boolean isThatOf(Authority target, boolean isTls) {
      return host.equals(target.host())
          && port == target.portOr(usualPort(scheme))
          && (!isTls || scheme.equals("https"));
    }

    private static int usualPort(String scheme) {
      return USUAL_PORTS.getOrDefault(scheme, 0);
    }
  }

  Origins(List<String> allowed) {
    this.allowed = allowed.stream().map(Origins::read).toList();
  }

  static Origin read(String text) {
    Origin origin = Origin.parse(text);
    if (origin == null) {
      throw new IllegalArgumentException(text + ": not an origin");
    }
    return origin;
  }

  /** Returns whether a page may send requests to a name of this server. */
  boolean allow(String sent, @Nullable Authority target, boolean isTls) {
    return isOwn(sent, target, isTls) || isListed(sent);
  }

  /** Returns whether an origin is that of the server's own page. */
  static boolean isOwn(String sent, @Nullable Authority target, boolean isTls) {
    Origin origin = Origin.parse(sent);
    return origin != null && target != null && origin.isThatOf(target, isTls);
  }

  /** Returns whether an origin is listed, so that its pages may also read the answers. */
  boolean isListed(String sent) {
    Origin origin = Origin.parse(sent);
    return origin != null && allowed.contains(origin);
  }
}
