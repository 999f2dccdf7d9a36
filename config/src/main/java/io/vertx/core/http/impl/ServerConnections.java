package io.vertx.core.http.impl;

import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Begins HTTP/2 on a connection that began with HTTP/1.
 *
 * <p>Vert.x itself offers two ways, and both hide a connection until its first request. With h2c it
 * also decodes the first head of HTTP/1, and accepts an upgrade instead of a POST. The connection
 * of HTTP/2 has no public constructor, so this class is in its package.
 */
public final class ServerConnections {
  private ServerConnections() {}

  /**
   * Replaces the last handler of the pipeline, on the event loop. The caller must remove the other
   * handlers of HTTP/1.
   *
   * @param begun the connection of HTTP/1, which had no request
   * @param onBegin receives the codec after the client's first settings and before its first
   *     request
   */
  public static void http2(
      HttpConnection begun,
      HttpServerOptions options,
      Handler<HttpServerRequest> requests,
      Consumer<Http2ConnectionHandler> onBegin) {
    Http1xServerConnection http1 = (Http1xServerConnection) begun;
    ChannelPipeline pipeline = http1.channel().pipeline();
    int resetsMax = options.getHttp2RstFloodMaxRstFramePerWindow();
    TimeUnit unit = options.getHttp2RstFloodWindowDurationTimeUnit();
    int windowSeconds = (int) unit.toSeconds(options.getHttp2RstFloodWindowDuration());
    var handler =
        new VertxHttp2ConnectionHandlerBuilder<Http2ServerConnection>()
            .server(true)
            .gracefulShutdownTimeoutMillis(0)
            .decoderEnforceMaxSmallContinuationFrames(options.getHttp2MaxSmallContinuationFrames())
            .encoderEnforceMaxRstFramesPerWindow(resetsMax, windowSeconds)
            .decoderEnforceMaxRstFramesPerWindow(resetsMax, windowSeconds)
            .initialSettings(options.getInitialSettings())
            .connectionFactory(
                codec ->
                    new Http2ServerConnection(
                        http1.context(),
                        http1.context()::duplicate,
                        "",
                        codec,
                        null,
                        options,
                        null))
            .build();
    handler.addHandler(
        connection -> {
          connection.handler(requests);
          connection.exceptionHandler(failure -> {}); // a lost connection concerns its streams
          connection.setWindowSize(options.getHttp2ConnectionWindowSize());
          onBegin.accept(handler);
        });
    pipeline.replace("handler", "handler", handler);
    pipeline.channel().flush(); // sends the settings of the server
  }
}
