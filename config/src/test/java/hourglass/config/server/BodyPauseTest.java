package hourglass.config.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.http.BodyPause;
import hourglass.testing.Patience;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BodyPauseTest {
  private static final int BODY_BYTES = 32 << 20;

  @ParameterizedTest
  @ValueSource(ints = {0, 10})
  void aPausedBodyIsReadAheadOnlyALittle(int requestsBefore) throws Exception {
    VertxRuntime runtime = new VertxRuntime(new SimpleMeterRegistry());
    CompletableFuture<Runnable> paused = new CompletableFuture<>();
    CompletableFuture<Long> held = new CompletableFuture<>();
    AtomicLong arrived = new AtomicLong();
    AtomicLong sent = new AtomicLong();
    Router router = Router.router(runtime.vertx());
    router
        .post("/")
        .handler(
            ctx -> {
              HttpServerRequest request = ctx.request();
              request.handler(bytes -> arrived.addAndGet(bytes.length()));
              request.endHandler(ended -> request.response().end());
              BodyPause pause = new BodyPause(ctx);
              pause.begin();
              Context loop = Vertx.currentContext();
              paused.complete(
                  () ->
                      loop.runOnContext(
                          ignored -> {
                            request.resume(); // the socket is not read yet
                            loop.runOnContext(
                                handedOver -> {
                                  held.complete(arrived.get());
                                  pause.end();
                                });
                          }));
            });
    router
        .get("/")
        .handler(
            ctx -> {
              // When the rest of the packet is queued, and Vert.x has stopped by itself:
              Vertx.currentContext().runOnContext(later -> ctx.response().end());
            });
    HttpListener listener = HttpListener.listen(runtime, AnyPort.options(), null, router);
    try (Socket socket = new Socket("127.0.0.1", URI.create(listener.address()).getPort())) {
      Thread sender = new Thread(() -> send(socket, requestsBefore, sent), "sender");
      sender.start();
      Runnable goOn = paused.get(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS);
      AtomicLong before = new AtomicLong(-1);
      await()
          .pollInterval(Duration.ofMillis(300))
          .until(() -> before.getAndSet(sent.get()) == sent.get() && sent.get() > 0);
      assertThat(sent.get()).as("the sender waits").isLessThan(BODY_BYTES);
      goOn.run();
      assertThat(held.get(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS))
          .isLessThanOrEqualTo(128 << 10);
      await().until(() -> arrived.get() == BODY_BYTES);
      sender.join();
    } finally {
      listener.close();
      runtime.close();
    }
  }

  private static void send(Socket socket, int requestsBefore, AtomicLong sent) {
    try {
      String before = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(requestsBefore);
      String head =
          "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + BODY_BYTES + "\r\n\r\n";
      socket.getOutputStream().write((before + head).getBytes(US_ASCII));
      byte[] piece = new byte[64 << 10];
      for (int i = 0; i < BODY_BYTES / piece.length; i++) {
        socket.getOutputStream().write(piece);
        sent.addAndGet(piece.length);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
