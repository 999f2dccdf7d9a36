package hourglass.http;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;

/**
 * Pauses the body of a request, so that hardly any of it is read ahead: no memory is reserved for
 * those bytes. Used by the event loop of the request.
 */
public record BodyPause(RoutingContext ctx) {
  /**
   * The name under which the routing context contains the {@link Sockets} of its listener. Without
   * them, up to 40 pieces of a paused body are read ahead.
   */
  public static final String SOCKETS = "hourglass.sockets";

  /** The sockets under the requests of a listener, which Vert.x does not show. */
  public interface Sockets {
    /** Stops or resumes the reading of a socket. Called on the event loop of the request. */
    void setReading(HttpServerRequest request, boolean isReading);
  }

  public void begin() {
    ctx.request().pause();
    setReading(false); // Vert.x would read many pieces more before it stops, a MiB
  }

  public void end() {
    setReading(true);
    ctx.request().resume();
  }

  /**
   * Stops or resumes the socket, except in HTTP/2, where other streams share it and a window bounds
   * this one.
   */
  private void setReading(boolean isReading) {
    Sockets sockets = ctx.get(SOCKETS);
    if (sockets != null && ctx.request().version() != HttpVersion.HTTP_2) {
      sockets.setReading(ctx.request(), isReading);
    }
  }
}
