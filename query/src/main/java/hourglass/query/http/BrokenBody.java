package hourglass.query.http;

import io.netty.channel.ChannelFuture;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;

/** Aborts an answer that has begun, so that its client notices that the body is incomplete. */
final class BrokenBody {
  private BrokenBody() {}

  /** Resets the HTTP/2 stream, or closes the connection of an older version without a flush. */
  static void cut(RoutingContext ctx) {
    boolean ownsConnection = ctx.request().version() != HttpVersion.HTTP_2;
    if (ownsConnection && ctx.request().connection() instanceof ConnectionBase connection) {
      // An orderly close would wait for bytes that the client may never read.
      ChannelFuture ignored = connection.channel().close();
    } else {
      ctx.response().reset();
    }
  }
}
