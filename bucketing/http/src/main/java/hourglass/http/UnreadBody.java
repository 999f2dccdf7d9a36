package hourglass.http;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;

/** Drops the body of a request that is answered before the body was read. */
public final class UnreadBody {
  // The rest of a body is dropped up to this length; the connection then serves the next request.
  private static final int KEEP_ALIVE_BYTES_MAX = 1 << 20;

  // After a longer rest the connection ends, but not at once: a client that still sends could lose
  // the answer.
  private static final int LINGER_MILLIS = 1000;

  private UnreadBody() {}

  /** Drops the body that the headers announce. It must be called before the answer is written. */
  public static void discard(RoutingContext ctx) {
    MultiMap headers = ctx.request().headers();
    String length = headers.get(HttpHeaders.CONTENT_LENGTH);
    if (length != null || headers.contains(HttpHeaders.TRANSFER_ENCODING)) {
      discard(ctx, length == null ? -1 : Long.parseLong(length));
    }
  }

  /**
   * Drops the rest of a body, of unknown length if -1. It must be called before the answer is
   * written.
   */
  public static void discard(RoutingContext ctx, long announcedBytes) {
    HttpServerRequest request = ctx.request();
    if (request.isEnded()) {
      return; // a handler would fail now, and the request would get no answer
    }
    boolean expects = request.headers().contains(HttpHeaders.EXPECT);
    request.handler(bytes -> {});
    if (request.version() == HttpVersion.HTTP_2) {
      return; // its stream ends without the connection
    }
    if (announcedBytes < 0 || announcedBytes > KEEP_ALIVE_BYTES_MAX || expects) {
      ctx.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
      ctx.addEndHandler(
          done -> ctx.vertx().setTimer(LINGER_MILLIS, id -> request.connection().close()));
    }
  }
}
