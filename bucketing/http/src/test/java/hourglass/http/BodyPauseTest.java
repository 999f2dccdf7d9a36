package hourglass.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.testing.Patience;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BodyPauseTest {
  private static final int BODY_BYTES = 32 << 20;

  /** The size of the pieces in which the server of the program reads. */
  private static final int CHUNK_BYTES = 64 << 10;

  @Test
  void aPausedBodyIsReadAheadOnlyALittle() throws Exception {
    Vertx vertx = Vertx.vertx();
    CompletableFuture<Runnable> paused = new CompletableFuture<>();
    CompletableFuture<Long> held = new CompletableFuture<>();
    AtomicLong arrived = new AtomicLong();
    AtomicLong sent = new AtomicLong();
    HttpServer server =
        get(
            vertx
                .createHttpServer(new HttpServerOptions().setMaxChunkSize(CHUNK_BYTES))
                .requestHandler(
                    request -> {
                      request.handler(bytes -> arrived.addAndGet(bytes.length()));
                      request.endHandler(ended -> request.response().end());
                      BodyPause pause = new BodyPause(request);
                      pause.begin();
                      Context loop = vertx.getOrCreateContext();
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
                    })
                .listen(0, "127.0.0.1"));
    try (Socket socket = new Socket("127.0.0.1", server.actualPort())) {
      Thread sender = new Thread(() -> send(socket, sent), "sender");
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
      get(vertx.close());
    }
  }

  private static void send(Socket socket, AtomicLong sent) {
    try {
      String head = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: " + BODY_BYTES + "\r\n\r\n";
      socket.getOutputStream().write(head.getBytes(US_ASCII));
      byte[] piece = new byte[64 << 10];
      for (int i = 0; i < BODY_BYTES / piece.length; i++) {
        socket.getOutputStream().write(piece);
        sent.addAndGet(piece.length);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static <T> T get(Future<T> future) throws Exception {
    return future
        .toCompletionStage()
        .toCompletableFuture()
        .get(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS);
  }
}
