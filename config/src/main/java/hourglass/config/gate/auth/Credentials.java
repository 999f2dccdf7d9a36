package hourglass.config.gate.auth;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The key that a request shows in a header, in one of the forms that shippers, Prometheus and
 * browsers send. Immutable.
 *
 * @param name null where the form has none
 * @param secret empty where the header cannot be read, which is no key
 */
record Credentials(@Nullable String name, String secret) {
  private static final String API_KEY = "X-API-Key";
  private static final Credentials UNREADABLE = new Credentials(null, "");

  /** Null where there is no such header; {@code Authorization} comes first. */
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

  /** Reads base64 of {@code NAME:SECRET}. */
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

  /** Never the secret. */
  @Override
  public String toString() {
    return "Credentials[" + (name == null ? "" : name) + "]";
  }
}
