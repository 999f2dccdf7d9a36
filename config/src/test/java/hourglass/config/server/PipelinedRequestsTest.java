package hourglass.config.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.http.BodyPause;
import hourglass.testing.Patience;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client that sends on without answers is stopped, even after a route has paused a body. */
class PipelinedRequestsTest {
  private static final int PIECES = 5_000;
  private static final String LOCAL = " HTTP/1.1\r\nHost: localhost\r\n";
  private static final String FILLER = "x".repeat(6_000);
  private static final String LONG_GET = "GET /done" + LOCAL + "X-Filler: " + FILLER + "\r\n\r\n";
  private static final String BODY =
      "POST /done" + LOCAL + "Content-Length: " + PIECES * FILLER.length() + "\r\n\r\n";

  private final VertxRuntime runtime = new VertxRuntime(new SimpleMeterRegistry());
  private final CompletableFuture<Void> resumed = new CompletableFuture<>();
  private final Promise<Void> release = Promise.promise();
  private final AtomicLong sent = new AtomicLong();
  private HttpListener listener;
  private Socket socket;

  @BeforeEach
  void listen() throws IOException {
    Router router = Router.router(runtime.vertx());
    router
        .post("/paused")
        .handler(
            ctx -> {
              BodyPause pause = new BodyPause(ctx);
              pause.begin();
              // When the requests of the same packet are queued, and Vert.x has stopped by itself:
              Vertx.currentContext()
                  .runOnContext(
                      later -> {
                        pause.end();
                        resumed.complete(null);
                      });
              release.future().onSuccess(done -> ctx.response().end("done"));
            });
    router.get("/done").handler(ctx -> ctx.response().end("done"));
    router
        .post("/done")
        .handler(ctx -> ctx.request().body().onSuccess(body -> ctx.response().end("done")));
    listener = HttpListener.listen(runtime, AnyPort.options(), null, router);
    socket = new Socket("127.0.0.1", URI.create(listener.address()).getPort());
    socket.setSoTimeout(Patience.LONGEST_MILLIS);
  }

  @AfterEach
  void close() throws IOException {
    socket.close();
    listener.close();
    runtime.close();
  }

  @Test
  void requestsWithoutAnAnswerAreBounded() throws Exception {
    Thread sender = sendBehindAPause("", LONG_GET);
    awaitStop();
    release.complete();
    assertThat(answers(1 + 10 + PIECES)).isEqualTo(1 + 10 + PIECES);
    sender.join();
  }

  @Test
  void aBodyBehindRequestsWithoutAnAnswerIsReadAheadOnlyALittle() throws Exception {
    Thread sender = sendBehindAPause(BODY, FILLER);
    awaitStop();
    release.complete();
    assertThat(answers(1 + 10 + 1)).isEqualTo(1 + 10 + 1);
    sender.join();
  }

  private Thread sendBehindAPause(String before, String piece) throws Exception {
    String pause = "POST /paused" + LOCAL + "Content-Length: 2\r\n\r\n{}";
    write((pause + ("GET /done" + LOCAL + "\r\n").repeat(10)).getBytes(US_ASCII));
    resumed.get(Patience.LONGEST_MILLIS, TimeUnit.MILLISECONDS);
    Thread sender =
        new Thread(
            () -> {
              write(before.getBytes(US_ASCII));
              byte[] bytes = piece.getBytes(US_ASCII);
              for (int i = 0; i < PIECES; i++) {
                write(bytes);
                sent.incrementAndGet();
              }
            },
            "sender");
    sender.start();
    return sender;
  }

  private void write(byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void awaitStop() {
    AtomicLong before = new AtomicLong(-1);
    await()
        .pollInterval(Duration.ofMillis(300))
        .until(() -> before.getAndSet(sent.get()) == sent.get() && sent.get() > 0);
    assertThat(sent.get()).as("the sender waits").isLessThan(PIECES);
  }

  /** Reads answers up to this number. Returns fewer if the connection ends before. */
  private int answers(int most) throws IOException {
    InputStream in = socket.getInputStream();
    String end = "\r\n\r\ndone";
    byte[] some = new byte[16 << 10];
    int answers = 0;
    int matched = 0;
    while (answers < most) {
      int read = in.read(some);
      if (read < 0) {
        return answers;
      }
      for (int i = 0; i < read; i++) {
        char next = (char) some[i];
        matched = next == end.charAt(matched) ? matched + 1 : next == '\r' ? 1 : 0;
        if (matched == end.length()) {
          answers++;
          matched = 0;
        }
      }
    }
    return answers;
  }
}
