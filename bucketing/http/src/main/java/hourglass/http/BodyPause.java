package hourglass.http;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.ConnectionBase;

/**
 * Pauses the body of a request, so that hardly any of it is read ahead: no memory is reserved for
 * those bytes. Used by the event loop of the request.
 */
public record BodyPause(HttpServerRequest request) {

  public void begin() {
    request.pause();
    read(false); // Vert.x would read 16 pieces more before it stops, a MiB
  }

  public void end() {
    read(true);
    request.resume();
  }

  /**
   * Stops or resumes the socket, except in HTTP/2, where other streams share it and a window bounds
   * this one.
   */
  private void read(boolean now) {
    if (request.version() != HttpVersion.HTTP_2
        && request.connection() instanceof ConnectionBase connection) {
      connection.channel().config().setAutoRead(now);
    }
  }
}
