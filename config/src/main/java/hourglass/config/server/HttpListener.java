package hourglass.config.server;

import hourglass.access.SharedRoom;
import hourglass.config.gate.Http2Limits;
import hourglass.config.gate.HttpConnections;
import hourglass.config.gate.RefusedRequest;
import hourglass.config.gate.RequestGate;
import hourglass.config.gate.RequestMemory;
import hourglass.config.gate.tls.ServerTls;
import hourglass.config.settings.HttpOptions;
import hourglass.http.BodyPause;
import hourglass.ingest.http.IngestRoutes;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
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

/** A listener on one port, which one HTTP server on each event loop serves. Thread-safe. */
final class HttpListener implements AutoCloseable {
  /** The time for requests under way to end after the port is closed. */
  private static final Duration PATIENCE = Duration.ofSeconds(4);

  /**
   * The size limit of a frame from a client. Clients of a tail send only pings and a close, of 125
   * bytes at most.
   */
  private static final int WEB_SOCKET_FRAME_BYTES_MAX = 4 << 10;

  /**
   * The time for a client to answer the close of its WebSocket, which a stop waits for after {@link
   * #PATIENCE}.
   */
  private static final int WEB_SOCKET_CLOSE_SECONDS = 1;

  /**
   * A negative port number stands for a free port, which Vert.x shares between servers that ask for
   * the same number.
   */
  private static final int ANY_PORT = -1;

  private final List<HttpServer> servers = new CopyOnWriteArrayList<>();
  private final HttpOptions options;
  private final HttpServerOptions ofServer;
  private final HttpConnections connections;
  private final @Nullable ServerTls tls;

  private HttpListener(HttpOptions options, @Nullable ServerTls tls, HttpConnections connections) {
    this.options = options;
    this.tls = tls;
    this.connections = connections;
    ofServer = serverOptions(options);
    if (tls != null) {
      tls.addTo(ofServer);
    }
  }

  /** Listens with the default room for requests in memory, and does not report refused requests. */
  static HttpListener listen(
      VertxRuntime runtime, HttpOptions options, @Nullable ServerTls tls, Router router) {
    return listen(runtime, options, tls, router, RequestMemory.ofHeap(), (request, why) -> {});
  }

  /**
   * Opens the port, which serves when this returns. Throws {@link StartException} if the process
   * cannot listen on the port.
   *
   * @param tls null for plain HTTP
   * @param memory for bytes of requests that no route has accepted yet
   * @param onRefused is called with each request that is refused before any route
   */
  static HttpListener listen(
      VertxRuntime runtime,
      HttpOptions options,
      @Nullable ServerTls tls,
      Router router,
      SharedRoom memory,
      BiConsumer<HttpServerRequest, RefusedRequest> onRefused) {
    HttpConnections connections =
        new HttpConnections(
            options.connectionsMax(), memory, options.headerBytesMax(), options.idleTimeout());
    HttpListener listener = new HttpListener(options, tls, connections);
    runtime.transport().onHttp(connections::add);
    router
        .route()
        .order(Integer.MIN_VALUE)
        .handler(
            ctx -> {
              ctx.put(BodyPause.SOCKETS, connections);
              ctx.next();
            });
    Vertx vertx = runtime.vertx();
    try {
      vertx
          .deployVerticle(
              () -> context -> listener.serve(vertx, router, onRefused),
              new DeploymentOptions().setInstances(VertxRuntime.EVENT_LOOPS))
          .await();
    } catch (Exception e) { // await may throw a BindException that it does not declare
      throw listener.explained(e);
    }
    if (tls != null) {
      tls.watch(listener.servers.get(0)); // the servers of one port share their options
    }
    return listener;
  }

  /** Returns the address of the listener, such as {@code http://127.0.0.1:8080}, or with https. */
  String address() {
    String host = options.host().contains(":") ? "[" + options.host() + "]" : options.host();
    return (tls == null ? "http://" : "https://") + host + ":" + servers.get(0).actualPort();
  }

  /**
   * Closes the port and all connections without a request, and gives requests that were accepted a
   * few seconds to end.
   */
  @Override
  public void close() {
    connections.stop();
    Future.join(
            servers.stream()
                .map(server -> server.shutdown(PATIENCE.toMillis(), TimeUnit.MILLISECONDS))
                .toList())
        .otherwiseEmpty()
        .await();
  }

  /** Starts one of the servers, on the event loop of the caller. */
  private Future<?> serve(
      Vertx vertx, Router router, BiConsumer<HttpServerRequest, RefusedRequest> onRefused) {
    RequestGate requests = new RequestGate(options.gate(), onRefused, router);
    HttpServer server =
        vertx
            .createHttpServer(ofServer)
            .invalidRequestHandler(ProblemPages::invalidRequest)
            .requestHandler(requests);
    if (tls != null) {
      server.exceptionHandler(tls.handshakes()::accept);
    }
    servers.add(server);
    return server.listen();
  }

  private static HttpServerOptions serverOptions(HttpOptions options) {
    return Http2Limits.addTo(
            IngestRoutes.prepare(new HttpServerOptions()), options.headerBytesMax())
        // Compression is off because a client's compressed frame would be unpacked whole, of any
        // length.
        .setPerMessageWebSocketCompressionSupported(false)
        .setPerFrameWebSocketCompressionSupported(false)
        .setMaxWebSocketFrameSize(WEB_SOCKET_FRAME_BYTES_MAX)
        .setWebSocketClosingTimeout(WEB_SOCKET_CLOSE_SECONDS)
        .setHost(options.host())
        .setPort(options.port() == 0 ? ANY_PORT : options.port())
        .setMaxInitialLineLength(options.headerBytesMax())
        .setMaxHeaderSize(options.headerBytesMax());
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
