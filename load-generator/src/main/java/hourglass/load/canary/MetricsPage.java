package hourglass.load.canary;

import hourglass.load.command.LoadFailure;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.Supplier;

/** Serves a text at {@code /metrics} until this is closed. */
final class MetricsPage implements AutoCloseable {
  private static final int IDLE_SECONDS_MAX = 5;

  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final HttpServer server;

  /**
   * Starts the server.
   *
   * @param port 0 for any free port
   * @throws LoadFailure if the address cannot be bound
   */
  MetricsPage(String host, int port, Supplier<String> text) {
    HttpServerOptions options = new HttpServerOptions().setIdleTimeout(IDLE_SECONDS_MAX);
    try {
      server =
          vertx
              .createHttpServer(options)
              .requestHandler(request -> answer(request, text))
              .listen(port, host)
              .await();
    } catch (Exception e) { // await also throws checked exceptions, which it does not declare
      vertx.close();
      throw new LoadFailure("--metrics-port: %s:%d: %s".formatted(host, port, e.getMessage()), e);
    }
  }

  int port() {
    return server.actualPort();
  }

  private static void answer(HttpServerRequest request, Supplier<String> text) {
    boolean known = request.path().equals("/metrics");
    if (!known || !request.method().equals(HttpMethod.GET)) {
      request.response().setStatusCode(known ? 405 : 404).end();
      return;
    }
    request
        .response()
        .putHeader("content-type", "text/plain; version=0.0.4; charset=utf-8")
        .end(text.get());
  }

  @Override
  public void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}
