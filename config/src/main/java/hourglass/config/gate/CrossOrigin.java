package hourglass.config.gate;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;

/**
 * Lets pages of {@code http.allowed-origins} read answers, by the CORS protocol of the Fetch
 * standard. Only the server's own page uses the session's cookie; other pages send a key in a
 * header.
 */
final class CrossOrigin {
  private static final String METHODS = "GET, HEAD, POST, DELETE";
  private static final String REQUEST_HEADERS =
      "Authorization, X-API-Key, Content-Type, Content-Encoding, Idempotency-Key, Last-Event-ID,"
          + " X-Request-Id";
  private static final String ANSWER_HEADERS =
      "Hourglass-Complete, Hourglass-Cursor, Hourglass-Previous, Hourglass-Missing,"
          + " Hourglass-Dropped, Hourglass-Rows-Asked, Hourglass-Rows-Answered, Hourglass-Rows-Missing, Link,"
          + " Content-Disposition, Retry-After, X-Request-Id";
  private static final String MAX_AGE_SECONDS = "600";

  private CrossOrigin() {}

  /** Returns whether a browser asks, without a key, whether its page may send a request. */
  static boolean isPreflight(HttpServerRequest request) {
    return request.method().equals(HttpMethod.OPTIONS)
        && request.headers().contains(HttpHeaders.ACCESS_CONTROL_REQUEST_METHOD);
  }

  static void allow(HttpServerResponse response, String origin) {
    response.putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    response.putHeader(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS, ANSWER_HEADERS);
    response.headersEndHandler(ended -> varyByOrigin(response.headers()));
  }

  /** Adds the origin to the headers by which the answer varies. */
  private static void varyByOrigin(MultiMap headers) {
    String vary = headers.get(HttpHeaders.VARY);
    headers.set(HttpHeaders.VARY, vary == null ? "Origin" : vary + ", Origin");
  }

  static void answerPreflight(HttpServerResponse response) {
    response
        .setStatusCode(204)
        .putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_METHODS, METHODS)
        .putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_HEADERS, REQUEST_HEADERS)
        .putHeader(HttpHeaders.ACCESS_CONTROL_MAX_AGE, MAX_AGE_SECONDS)
        .end();
  }
}
