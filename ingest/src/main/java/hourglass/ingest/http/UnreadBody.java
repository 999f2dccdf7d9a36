package hourglass.ingest.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/** The rest of a body after its request was refused. */
final class UnreadBody {
  // Up to this length the rest is dropped, and the connection serves the next request.
  private static final int KEEP_ALIVE_BYTES_MAX = 1 << 20;

  // Longer ones end the connection, but not at once: a client that still sends could lose the
  // answer.
  private static final int LINGER_MILLIS = 1000;

  private UnreadBody() {}

  /**
   * Drops the rest of the body. Call it before the answer is written.
   *
   * @param announcedBytes the body's length, or -1 if it is unknown
   */
  static void discard(RoutingContext ctx, long announcedBytes) {
    HttpServerRequest request = ctx.request();
    if (request.isEnded()) {
      return; // a handler would fail now, and the request would get no answer
    }
    boolean expects = request.headers().contains(HttpHeaders.EXPECT);
    boolean keepAlive = announcedBytes >= 0 && announcedBytes <= KEEP_ALIVE_BYTES_MAX && !expects;
    request.handler(bytes -> {});
    if (keepAlive) {
      return;
    }
    ctx.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
    ctx.addEndHandler(
        done -> ctx.vertx().setTimer(LINGER_MILLIS, id -> request.connection().close()));
  }
}
