package hourglass.load;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/** Serves a text at {@code /metrics} until closed, with the JDK's own server. */
final class MetricsPage implements AutoCloseable {
  private final HttpServer server;

  /**
   * @param port 0: any that is free
   * @throws LoadFailure when nobody can listen there
   */
  MetricsPage(String host, int port, Supplier<String> text) {
    try {
      server = HttpServer.create(new InetSocketAddress(host, port), 0);
    } catch (IOException | RuntimeException e) {
      throw new LoadFailure("--metrics-port: %s:%d: %s".formatted(host, port, e.getMessage()), e);
    }
    server.createContext("/", exchange -> answer(exchange, text));
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  private static void answer(HttpExchange exchange, Supplier<String> text) throws IOException {
    try (exchange) {
      boolean known = exchange.getRequestURI().getPath().equals("/metrics");
      boolean read = exchange.getRequestMethod().equals("GET");
      if (!known || !read) {
        exchange.sendResponseHeaders(known ? 405 : 404, -1);
        return;
      }
      byte[] body = text.get().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", CanaryMetrics.CONTENT_TYPE);
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
