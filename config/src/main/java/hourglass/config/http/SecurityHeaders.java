package hourglass.config.http;

import io.vertx.core.http.HttpServerResponse;
import java.util.Map;

/** The headers for browsers in every response, errors and files of the page included. */
final class SecurityHeaders {
  /**
   * Foreign pages cannot show or embed an answer, browsers keep to its content type, and the page's
   * address, which has filters in it, stays here. The page itself limits its scripts.
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
