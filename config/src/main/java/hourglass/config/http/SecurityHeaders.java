package hourglass.config.http;

import io.vertx.core.http.HttpServerResponse;
import java.util.Map;

/** What every response tells browsers, also an error and a file of the page. */
final class SecurityHeaders {
  /**
   * No page of others shows or embeds an answer; a body is what its type says; and an address of
   * the page, which has filters in it, is not told to others. The page itself says where its
   * scripts may come from.
   */
  static final Map<String, String> ALL =
      Map.of(
          "Content-Security-Policy", "frame-ancestors 'none'",
          "X-Content-Type-Options", "nosniff",
          "Referrer-Policy", "same-origin",
          "Cross-Origin-Resource-Policy", "same-origin");

  private SecurityHeaders() {}

  static void put(HttpServerResponse response) {
    ALL.forEach(response::putHeader);
  }
}
