package hourglass.config.gate;

import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServerOptions;

/** The limits of a connection of HTTP/2 that its client learns. */
public final class Http2Limits {
  /** Streams of one connection that are open at the same time; RFC 9113 wants no fewer. */
  static final int STREAMS_MAX = 100;

  /** Of bodies that are on their way, of one stream and of a connection: 10 MB/s over 100 ms. */
  private static final int WINDOW_BYTES = 1 << 20;

  private Http2Limits() {}

  /**
   * A head has the size of HTTP/1, where the request line counts apart. RFC 9113 adds 32 bytes to
   * each field.
   */
  public static HttpServerOptions addTo(HttpServerOptions options, int headerBytesMax) {
    return options
        .setHttp2ConnectionWindowSize(WINDOW_BYTES)
        .setInitialSettings(
            new Http2Settings()
                .setMaxConcurrentStreams(STREAMS_MAX)
                .setInitialWindowSize(WINDOW_BYTES)
                .setMaxHeaderListSize(2L * headerBytesMax));
  }
}
