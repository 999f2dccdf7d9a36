package hourglass.query.http;

import io.netty.channel.ChannelFuture;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;

/** Ends an answer that has begun so that its client sees it broken. */
final class BrokenBody {
  private BrokenBody() {}

  /** Resets the stream; before HTTP/2 that is the connection, without what waits to be written. */
  static void cut(RoutingContext ctx) {
    boolean ownsConnection = ctx.request().version() != HttpVersion.HTTP_2;
    if (ownsConnection && ctx.request().connection() instanceof ConnectionBase connection) {
      // An orderly close waits behind what the client may never read.
      ChannelFuture ignored = connection.channel().close();
    } else {
      ctx.response().reset();
    }
  }
}
