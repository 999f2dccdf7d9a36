package hourglass.config.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.testing.Patience;
import hourglass.testing.RawHttp;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Who is cut off for idleness and how, and who is not. Time passes by what the listener does to an
 * idle client.
 */
class HttpListenerTest {
  private static final Duration IDLE = Duration.ofSeconds(1);
  private static final int PATIENCE_MILLIS = Patience.LONGEST_MILLIS;
  private static final String LOCAL = " HTTP/1.1\r\nHost: localhost\r\n";

  private static final Promise<Void> release = Promise.promise();
  private static final AtomicInteger counted = new AtomicInteger();
  private static final CountDownLatch untakenCut = new CountDownLatch(1);
  private static volatile Context loopOfLater;
  private static VertxRuntime runtime;
  private static HttpListener listener;

  @BeforeAll
  static void listen() {
    runtime = new VertxRuntime(new SimpleMeterRegistry());
    Router router = Router.router(runtime.vertx());
    router.get("/fast").handler(ctx -> ctx.response().end("fast"));
    router
        .get("/last")
        .handler(
            ctx ->
                ctx.vertx() // when the requests behind it have been decoded
                    .runOnContext(
                        later -> ctx.response().putHeader("Connection", "close").end("last")));
    router
        .get("/later")
        .handler(
            ctx -> {
              loopOfLater = Vertx.currentContext();
              loopOfLater.runOnContext(later -> ctx.response().end("later"));
            });
    router
        .get("/socket")
        .handler(
            ctx ->
                ctx.request()
                    .toWebSocket()
                    .onSuccess(socket -> socket.textMessageHandler(socket::writeTextMessage)));
    router
        .get("/counted")
        .handler(ctx -> ctx.response().end("counted " + counted.incrementAndGet()));
    router
        .route("/slow")
        .handler(
            ctx -> {
              ctx.request()
                  .body()
                  .compose(body -> release.future())
                  .onSuccess(done -> ctx.response().end("done"));
            });
    router.get("/taken").handler(ctx -> writeOn(ctx.response().setChunked(true), () -> {}));
    router
        .get("/untaken")
        .handler(ctx -> writeOn(ctx.response().setChunked(true), untakenCut::countDown));
    listener = HttpListener.listen(runtime, AnyPort.options(IDLE), null, router);
  }

  /** A body without an end. */
  private static void writeOn(HttpServerResponse response, Runnable onCut) {
    response
        .write(Buffer.buffer(new byte[64 << 10]))
        .onSuccess(written -> writeOn(response, onCut))
        .onFailure(cut -> onCut.run());
  }

  @AfterAll
  static void close() {
    listener.close();
    runtime.close();
  }

  @Test
  void stalledClientsAreCutOff() throws Exception {
    try (Socket silent = open("");
        Socket kept = open("GET /fast" + LOCAL + "\r\n");
        Socket head = open("GET /fast HTTP/1.1\r\nHost: loc");
        Socket body = open("POST /slow" + LOCAL + "Content-Length: 100\r\n\r\n{");
        Socket chunk = open("POST /slow" + LOCAL + "Transfer-Encoding: chunked\r\n\r\n5\r\nab");
        Socket unwanted = open("POST /nope" + LOCAL + "Content-Length: 100\r\n\r\n");
        Socket untaken = open("GET /untaken" + LOCAL + "\r\n")) {
      dribble(head);
      assertThat(rest(silent)).isEmpty();
      assertThat(rest(kept)).startsWith("HTTP/1.1 200 OK").endsWith("fast");
      assertThat(rest(unwanted)).startsWith("HTTP/1.1 404 ").endsWith("</html>");
      for (Socket slow : List.of(head, body, chunk)) {
        assertThat(rest(slow))
            .startsWith("HTTP/1.1 408 Request Timeout\r\n")
            .contains("Content-Type: application/problem+json", "Connection: close")
            .contains("\"status\":408");
      }
      assertThat(untakenCut.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)).isTrue();
      assertThat(rest(untaken)).startsWith("HTTP/1.1 200 OK").doesNotEndWith("0\r\n\r\n");
    }
  }

  @Test
  void requestsBehindTheLastAnswerAreNotCarriedOut() throws Exception {
    String more = ("GET /counted" + LOCAL + "\r\n").repeat(2);
    try (Socket pipelining = open("GET /fast" + LOCAL + "\r\nGET /last" + LOCAL + "\r\n" + more)) {
      assertThat(rest(pipelining)).containsOnlyOnce("fast").endsWith("\r\n\r\nlast");
    }
    assertThat(counted).hasValue(0);
  }

  @Test
  void aPipelinedRequestIsNotCarriedOutAfterItsRefusal() throws Exception {
    String broken = "GET /counted" + LOCAL + "Transfer-Encoding: chunked\r\n\r\nno size\r\n";
    try (Socket pipelining = open("GET /later" + LOCAL + "\r\n" + broken)) {
      assertThat(rest(pipelining)).containsOnlyOnce("later").contains("HTTP/1.1 400 ");
    }
    Promise<Void> handled = Promise.promise();
    loopOfLater.runOnContext(handled::complete); // after all that the answers have caused
    handled.future().await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    assertThat(counted).hasValue(0);
  }

  @Test
  void aFrameInThePacketOfItsUpgradeIsRead() throws Exception {
    String upgrade =
        "GET /socket"
            + LOCAL
            + "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    String frame = "\u0081\u0082\0\0\0\0hi"; // a text of two bytes, with a mask of zeros
    try (Socket socket = open("")) {
      socket.getOutputStream().write((upgrade + frame).getBytes(ISO_8859_1));
      StringBuilder answer = new StringBuilder();
      while (answer.indexOf("\r\n\r\n\u0081\u0002hi") < 0) {
        int read = socket.getInputStream().read();
        assertThat(read).as("after %s", answer).isNotNegative();
        answer.append((char) read);
      }
      assertThat(answer).startsWith("HTTP/1.1 101 ");
    }
  }

  /** A byte of a header now and then, until the listener has enough of it. */
  private static void dribble(Socket head) {
    await()
        .pollInterval(Duration.ofMillis(20))
        .ignoreExceptionsInstanceOf(SocketException.class)
        .until(
            () -> {
              if (head.getInputStream().available() == 0) {
                RawHttp.write(head, "x");
              }
              return head.getInputStream().available() > 0;
            });
  }

  @Test
  void waitingAndReadingClientsAreNotCutOff() throws Exception {
    AtomicBoolean enough = new AtomicBoolean();
    try (Socket asking = open("GET /slow" + LOCAL + "Connection: close\r\n\r\n");
        Socket pushing =
            open("POST /slow" + LOCAL + "Connection: close\r\nContent-Length: 2\r\n\r\n{}");
        Socket ended = open("POST /slow" + LOCAL + "Content-Length: 2\r\n\r\n{}");
        Socket taking = open("GET /taken" + LOCAL + "\r\n")) {
      ended.shutdownOutput(); // as nc -N does
      // Not in the common pool, which other tests may keep busy for longer than the idle time.
      CompletableFuture<Boolean> taken =
          CompletableFuture.supplyAsync(
              () -> takes(taking, enough), task -> new Thread(task, "taking").start());
      for (int period = 0; period < 2; period++) {
        try (Socket idle = open("")) {
          assertThat(rest(idle)).isEmpty();
        }
      }
      enough.set(true);
      assertThat(taken.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS))
          .as("cut off while it took, and the machine gave it time to")
          .isTrue();
      release.complete();
      assertThat(rest(asking)).startsWith("HTTP/1.1 200 OK").endsWith("done");
      assertThat(rest(pushing)).startsWith("HTTP/1.1 200 OK").endsWith("done");
      assertThat(rest(ended)).startsWith("HTTP/1.1 200 OK").endsWith("done");
    }
  }

  /**
   * Reads until it is enough. Returns false if the server cut the connection off, unless the client
   * had to wait for a processor so long that the server may do that.
   */
  private static boolean takes(Socket socket, AtomicBoolean enough) {
    byte[] some = new byte[16 << 10];
    long readNanos = System.nanoTime();
    boolean isCut = false;
    boolean isStarved = false;
    while (!enough.get() && !isCut && !isStarved) {
      try {
        isCut = socket.getInputStream().read(some) < 0;
      } catch (IOException e) {
        isCut = true;
      }
      long nowNanos = System.nanoTime();
      isStarved = nowNanos - readNanos >= IDLE.toNanos() / 2;
      readNanos = nowNanos;
    }
    return !isCut || isStarved;
  }

  private static Socket open(String request) throws IOException {
    Socket socket = new Socket("127.0.0.1", URI.create(listener.address()).getPort());
    socket.setSoTimeout(PATIENCE_MILLIS);
    RawHttp.write(socket, request);
    return socket;
  }

  /** All that comes until the listener closes, or resets. */
  private static String rest(Socket socket) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    try (InputStream in = socket.getInputStream()) {
      in.transferTo(all);
    } catch (SocketException e) {
      // cut off: the answer read so far counts
    }
    return all.toString(ISO_8859_1);
  }
}
