package hourglass.load.canary;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import hourglass.load.command.LoadFailure;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * Serves a text at {@code /metrics} until closed, with the JDK's own server. A client that says
 * half a request, or does not take its answer, holds a thread of a few for a few seconds.
 */
final class MetricsPage implements AutoCloseable {
  static final int THREADS = 4;
  private static final int REQUEST_SECONDS_MAX = 5;

  static {
    // The JDK's server has no other way to be told, and reads these when the first one is made.
    setUnlessSet("sun.net.httpserver.maxReqTime");
    setUnlessSet("sun.net.httpserver.maxRspTime");
  }

  private final HttpServer server;
  private final ExecutorService threads =
      Executors.newFixedThreadPool(
          THREADS,
          task -> {
            Thread thread = new Thread(task, "canary-metrics");
            thread.setDaemon(true);
            return thread;
          });

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
    server.setExecutor(threads);
    server.start();
  }

  private static void setUnlessSet(String property) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, String.valueOf(REQUEST_SECONDS_MAX));
    }
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
    threads.shutdownNow();
  }
}
