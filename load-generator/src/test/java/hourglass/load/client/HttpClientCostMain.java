package hourglass.load.client;

import com.sun.management.OperatingSystemMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.internal.buffer.BufferInternal;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Measures HTTP clients: sends a million events of 170 B in batches of 5,000 from 2 connections to
 * a {@link SinkServerMain} in another process, and prints the CPU seconds of this process.
 * Arguments: URL, kind (jdk, vertx, vertx-direct), event loops.
 */
final class HttpClientCostMain {
  private static final int REQUESTS = 200;
  private static final int CONNECTIONS = 2;

  private HttpClientCostMain() {}

  public static void main(String[] args) throws Exception {
    URI target = URI.create(args[0]);
    byte[] body = new byte[5000 * 170];
    new Random(1).nextBytes(body);
    Callable<?> send =
        switch (args[1]) {
          case "jdk" -> jdk(target, body);
          default -> vertx(target, body, Integer.parseInt(args[2]), args[1].endsWith("direct"));
        };
    for (int round = 0; round < 5; round++) {
      measure(send, args[1]);
    }
    System.exit(0);
  }

  private static Callable<?> jdk(URI target, byte[] body) {
    var client =
        java.net.http.HttpClient.newBuilder()
            .version(java.net.http.HttpClient.Version.HTTP_1_1)
            .build();
    HttpRequest request =
        HttpRequest.newBuilder(target.resolve("/api/v1/events"))
            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
            .build();
    return () -> client.send(request, HttpResponse.BodyHandlers.ofByteArray());
  }

  private static Callable<?> vertx(URI target, byte[] body, int loops, boolean direct) {
    Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(loops));
    HttpClient client =
        vertx.createHttpClient(
            new HttpClientOptions(), new PoolOptions().setHttp1MaxSize(CONNECTIONS));
    RequestOptions options =
        new RequestOptions()
            .setMethod(HttpMethod.POST)
            .setHost(target.getHost())
            .setPort(target.getPort())
            .setURI("/api/v1/events");
    ByteBuf off = Unpooled.directBuffer(body.length).writeBytes(body);
    return () ->
        client
            .request(options)
            .compose(
                r ->
                    r.send(
                        direct
                            ? BufferInternal.buffer(off.retainedDuplicate())
                            : BufferInternal.buffer(Unpooled.wrappedBuffer(body))))
            .compose(r -> r.body())
            .toCompletionStage()
            .toCompletableFuture()
            .get();
  }

  private static void measure(Callable<?> send, String kind) throws Exception {
    var os = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    AtomicInteger left = new AtomicInteger(REQUESTS);
    long cpu = os.getProcessCpuTime();
    long start = System.nanoTime();
    Thread[] threads = new Thread[CONNECTIONS];
    for (int i = 0; i < CONNECTIONS; i++) {
      threads[i] =
          new Thread(
              () -> {
                while (left.getAndDecrement() > 0) {
                  try {
                    send.call();
                  } catch (Exception e) {
                    throw new IllegalStateException(e);
                  }
                }
              });
      threads[i].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.printf(
        Locale.ROOT,
        "%s: %.3f s, %.3f CPU s per million%n",
        kind,
        (System.nanoTime() - start) / 1e9,
        (os.getProcessCpuTime() - cpu) / 1e9);
  }
}
