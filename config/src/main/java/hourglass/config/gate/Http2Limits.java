package hourglass.config.gate;

import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServerOptions;

/** The limits of an HTTP/2 connection that the server announces to its client. */
public final class Http2Limits {
  /** The most open streams of one connection. RFC 9113 recommends no lower limit. */
  static final int STREAMS_MAX = 100;

  /**
   * The flow-control window of a stream and of a connection, which bounds the bytes of bodies in
   * flight. It allows 10 MB/s over 100 ms.
   */
  private static final int WINDOW_BYTES = 1 << 20;

  private Http2Limits() {}

  /**
   * Sets the limits. The limit of a head is that of the headers plus that of the request line,
   * which HTTP/1 limits separately. RFC 9113 adds 32 bytes to each field.
   */
  public static HttpServerOptions addTo(HttpServerOptions options, int headerBytesMax) {
    return options
        .setHttp2ClearTextEnabled(true)
        .setHttp2ConnectionWindowSize(WINDOW_BYTES)
        .setInitialSettings(
            new Http2Settings()
                .setMaxConcurrentStreams(STREAMS_MAX)
                .setInitialWindowSize(WINDOW_BYTES)
                .setMaxHeaderListSize(2L * headerBytesMax));
  }
}
