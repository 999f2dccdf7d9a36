package hourglass.config.gate.auth;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The key in a header of a request, in one of the forms that shippers, Prometheus and browsers
 * send. Immutable.
 *
 * @param name null if the form has none
 * @param secret empty if the header cannot be read, which matches no key
 */
record Credentials(@Nullable String name, String secret) {
  private static final String API_KEY = "X-API-Key";
  private static final Credentials UNREADABLE = new Credentials(null, "");

  /** Reads the headers, {@code Authorization} first. Returns null if no header contains a key. */
  static @Nullable Credentials of(MultiMap headers) {
    String authorization = headers.get(HttpHeaders.AUTHORIZATION);
    if (authorization != null) {
      return ofAuthorization(authorization);
    }
    String key = headers.get(API_KEY);
    return key == null ? null : new Credentials(null, key.strip());
  }

  private static Credentials ofAuthorization(String header) {
    String text = header.strip();
    int space = text.indexOf(' ');
    String scheme = space < 0 ? text : text.substring(0, space);
    String value = space < 0 ? "" : text.substring(space).strip();
    return switch (scheme.toLowerCase(Locale.ROOT)) {
      case "bearer", "splunk" -> new Credentials(null, value);
      case "basic", "apikey" -> ofPair(value);
      default -> UNREADABLE;
    };
  }

  /** Reads {@code NAME:SECRET} in base64. */
  private static Credentials ofPair(String base64) {
    String pair;
    try {
      pair = new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return UNREADABLE;
    }
    int colon = pair.indexOf(':');
    return colon < 0
        ? UNREADABLE
        : new Credentials(pair.substring(0, colon), pair.substring(colon + 1));
  }

  /** Returns a text without the secret. */
  @Override
  public String toString() {
    return "Credentials[" + (name == null ? "" : name) + "]";
  }
}
