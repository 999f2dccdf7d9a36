package hourglass.config.server;

import hourglass.access.SharedPlaces;
import hourglass.access.SharedRoom;
import hourglass.config.gate.ClientAddress;
import hourglass.config.gate.ConnectionWatch;
import hourglass.config.gate.Http2Limits;
import hourglass.config.gate.RefusedRequest;
import hourglass.config.gate.RequestGate;
import hourglass.config.gate.RequestMemory;
import hourglass.config.gate.tls.ServerTls;
import hourglass.config.settings.HttpOptions;
import hourglass.ingest.http.IngestRoutes;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import java.net.BindException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** One port, served by one HTTP server on each event loop. Thread-safe. */
final class HttpListener implements AutoCloseable {
  /** Time for requests under way after the port is closed. */
  private static final Duration PATIENCE = Duration.ofSeconds(4);

  /** A client of a tail sends pings and a close, of 125 bytes at most. */
  private static final int WEB_SOCKET_FRAME_BYTES_MAX = 4 << 10;

  /** Vert.x shares one free port between servers that ask for the same negative one. */
  private static final int ANY_PORT = -1;

  private final List<HttpServer> servers = new CopyOnWriteArrayList<>();
  private final HttpOptions options;
  private final SharedPlaces<ConnectionWatch> places;
  private final SharedRoom memory;
  private final HttpServerOptions ofServer;
  private final @Nullable ServerTls tls;

  private HttpListener(HttpOptions options, @Nullable ServerTls tls, SharedRoom memory) {
    this.options = options;
    this.memory = memory;
    this.tls = tls;
    places = new SharedPlaces<>(options.connectionsMax(), System::nanoTime);
    ofServer = serverOptions(options);
    if (tls != null) {
      tls.addTo(ofServer);
    }
  }

  /** As below, without a word about refused requests. */
  static HttpListener listen(
      Vertx vertx, HttpOptions options, @Nullable ServerTls tls, Router router) {
    return listen(vertx, options, tls, router, RequestMemory.ofHeap(), (request, why) -> {});
  }

  /**
   * Serves when this returns; throws {@link StartException} if the port cannot be had.
   *
   * @param tls null: plain HTTP
   * @param memory for what no route has taken yet
   * @param onRefused learns of requests that reach no route
   */
  static HttpListener listen(
      Vertx vertx,
      HttpOptions options,
      @Nullable ServerTls tls,
      Router router,
      SharedRoom memory,
      BiConsumer<HttpServerRequest, RefusedRequest> onRefused) {
    HttpListener listener = new HttpListener(options, tls, memory);
    try {
      vertx
          .deployVerticle(
              () -> context -> listener.serve(vertx, router, onRefused),
              new DeploymentOptions().setInstances(VertxRuntime.EVENT_LOOPS))
          .await();
    } catch (Exception e) { // also a BindException, undeclared
      throw listener.explained(e);
    }
    if (tls != null) {
      tls.watch(listener.servers.get(0)); // servers of one port share it
    }
    return listener;
  }

  /** As in {@code http://127.0.0.1:8080}, or with https. */
  String address() {
    String host = options.host().contains(":") ? "[" + options.host() + "]" : options.host();
    return (tls == null ? "http://" : "https://") + host + ":" + servers.get(0).actualPort();
  }

  /** Lets requests that were taken end, for a while. */
  @Override
  public void close() {
    Future.join(
            servers.stream()
                .map(server -> server.shutdown(PATIENCE.toMillis(), TimeUnit.MILLISECONDS))
                .toList())
        .otherwiseEmpty()
        .await();
  }

  /** On the event loop of the caller. */
  private Future<?> serve(
      Vertx vertx, Router router, BiConsumer<HttpServerRequest, RefusedRequest> onRefused) {
    RequestGate requests = new RequestGate(options.gate(), onRefused, router);
    HttpServer server =
        vertx
            .createHttpServer(ofServer)
            .connectionHandler(connection -> begin(connection, requests))
            .invalidRequestHandler(ProblemPages::invalidRequest)
            .requestHandler(requests);
    if (tls != null) {
      server.exceptionHandler(tls.handshakes()::accept);
    }
    servers.add(server);
    return server.listen();
  }

  private static HttpServerOptions serverOptions(HttpOptions options) {
    return IngestRoutes.prepare(
            Http2Limits.addTo(new HttpServerOptions(), options.headerBytesMax()))
        // Packed frames of a client would be unpacked whole, whatever their length.
        .setPerMessageWebSocketCompressionSupported(false)
        .setPerFrameWebSocketCompressionSupported(false)
        .setMaxWebSocketFrameSize(WEB_SOCKET_FRAME_BYTES_MAX)
        .setHost(options.host())
        .setPort(options.port() == 0 ? ANY_PORT : options.port())
        .setMaxInitialLineLength(options.headerBytesMax())
        .setMaxHeaderSize(options.headerBytesMax());
  }

  private void begin(HttpConnection connection, RequestGate requests) {
    ConnectionWatch watch =
        ConnectionWatch.watch(connection, ofServer, memory, options.idleTimeout(), requests);
    places.add(ClientAddress.ofPeer(connection), watch).ifPresent(ConnectionWatch::leave);
    watch.onClose(() -> places.remove(watch));
  }

  private StartException explained(Exception cause) {
    String where = options.host() + ":" + options.port();
    return new StartException(
        cause instanceof BindException
            ? "cannot listen on %s: %s; stop what uses it, or choose another port with --set http.port=PORT (0: any free one)"
                .formatted(where, cause.getMessage())
            : "cannot listen on %s: %s".formatted(where, cause),
        cause);
  }
}
