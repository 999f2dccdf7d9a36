package hourglass.ingest.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/** What still comes of a body whose request is refused already. */
final class UnreadBody {
  // So much is read and dropped, and the connection serves the next request.
  private static final int KEEP_ALIVE_BYTES_MAX = 1 << 20;

  // Else the connection is closed; not at once, or the client may lose the answer while it sends.
  private static final int LINGER_MILLIS = 1000;

  private UnreadBody() {}

  /**
   * Drops the rest of the body; to be called before the answer is written.
   *
   * @param announcedBytes the body's length, or -1 where nobody knows how much follows
   */
  static void discard(RoutingContext ctx, long announcedBytes) {
    HttpServerRequest request = ctx.request();
    if (request.isEnded()) {
      return; // a handler would be refused now, and the request left without its answer
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
