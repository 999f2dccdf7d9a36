package hourglass.config.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.config.gate.tls.ClientCertificates;
import hourglass.config.gate.tls.ServerTls;
import hourglass.config.gate.tls.TlsOptions;
import hourglass.config.server.RawHttp2.End;
import hourglass.config.server.RawHttp2.Stream;
import hourglass.testing.Certificates;
import hourglass.testing.Patience;
import hourglass.testing.RawHttp;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.handler.codec.http2.Http2Settings;
import io.vertx.core.Promise;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A stop ends idle connections at once, and others after the answers to their accepted requests.
 * While a slow request is under way, the stop waits for it, up to a limit after which it would be
 * cut off too.
 */
class HttpListenerStopTest {
  private static final int PATIENCE_MILLIS = Patience.LONGEST_MILLIS;
  private static final String LOCAL = " HTTP/1.1\r\nHost: localhost\r\n";

  private final Promise<Void> release = Promise.promise();
  private final BlockingQueue<String> underWay = new LinkedBlockingQueue<>();
  private final AtomicInteger counted = new AtomicInteger();
  private final VertxRuntime runtime = new VertxRuntime(new SimpleMeterRegistry());
  private HttpListener listener;

  @BeforeEach
  void listen() {
    listener = listen(runtime, null);
  }

  private HttpListener listen(VertxRuntime runtime, @Nullable ServerTls tls) {
    Router router = Router.router(runtime.vertx());
    router.get("/fast").handler(ctx -> ctx.response().end("fast"));
    router
        .get("/counted")
        .handler(ctx -> ctx.response().end("counted " + counted.incrementAndGet()));
    router
        .get("/slow")
        .handler(
            ctx -> {
              underWay.add(ctx.request().path());
              release.future().onSuccess(done -> ctx.response().end("done"));
            });
    router
        .post("/echo")
        .handler(
            ctx -> {
              underWay.add(ctx.request().path());
              ctx.request().body().onSuccess(body -> ctx.response().end(body));
            });
    router
        .get("/parts")
        .handler(
            ctx -> {
              ctx.response().setChunked(true).write("first");
              release.future().onSuccess(done -> ctx.response().end("last"));
            });
    router
        .get("/socket")
        .handler(
            ctx ->
                ctx.request()
                    .toWebSocket()
                    .onSuccess(socket -> socket.textMessageHandler(socket::writeTextMessage)));
    return HttpListener.listen(runtime, AnyPort.options(), tls, router);
  }

  @AfterEach
  void close() {
    release.tryComplete();
    listener.close();
    runtime.close();
  }

  @Test
  void idleConnectionsCloseAtOnce() throws Exception {
    try (Socket slow = open("GET /slow" + LOCAL + "\r\n");
        Socket silent = open("");
        Socket preface = open("PRI *");
        Socket head = open("GET /fast HTTP/1.1\r\nHost: loc");
        Socket kept = open("GET /fast" + LOCAL + "\r\n");
        RawHttp2 idle = http2();
        RawHttp2 busy = http2()) {
      Stream slowStream = busy.send(RawHttp2.get("/slow"), true);
      awaitUnderWay(2);
      awaitEnd(kept, "fast");
      assertThat(idle.end(idle.send(RawHttp2.get("/fast"), true)).body()).isEqualTo("fast");

      CompletableFuture<Void> stop = CompletableFuture.runAsync(listener::close);
      for (Socket socket : List.of(silent, preface, head, kept)) {
        assertThat(rest(socket)).isEmpty();
      }
      idle.awaitClose();
      assertThat(idle.isOpen()).isFalse();

      release.complete();
      assertThat(rest(slow))
          .startsWith("HTTP/1.1 200 ")
          .containsIgnoringCase("connection: close")
          .endsWith("done");
      End end = busy.end(slowStream);
      assertThat(end.body()).isEqualTo("done");
      assertThat(end.isClean()).isTrue();
      stop.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  @Test
  void idleConnectionsOfTlsCloseAtOnce(@TempDir Path folder) throws Exception {
    Certificates authority = Certificates.authority("Servers");
    authority.server().write(folder, "server");
    TlsOptions files =
        new TlsOptions(
            folder.resolve("server.pem"),
            folder.resolve("server.key"),
            null,
            ClientCertificates.NONE);
    VertxRuntime ofTls = new VertxRuntime(new SimpleMeterRegistry());
    try (ServerTls tls = ServerTls.read(files, Clock.systemUTC(), new SimpleMeterRegistry());
        HttpListener encrypted = listen(ofTls, tls)) {
      int port = URI.create(encrypted.address()).getPort();
      SSLSocketFactory sockets = authority.trusted().getSocketFactory();
      try (Socket silent = new Socket("127.0.0.1", port);
          SSLSocket unused = (SSLSocket) sockets.createSocket("127.0.0.1", port);
          SSLSocket kept = (SSLSocket) sockets.createSocket("127.0.0.1", port);
          SSLSocket slow = (SSLSocket) sockets.createSocket("127.0.0.1", port);
          RawHttp2 idle = http2(encrypted, authority.trusted());
          RawHttp2 busy = http2(encrypted, authority.trusted())) {
        for (Socket socket : List.of(silent, unused, kept, slow)) {
          socket.setSoTimeout(PATIENCE_MILLIS);
        }
        unused.startHandshake();
        RawHttp.write(kept, "GET /fast" + LOCAL + "\r\n");
        awaitEnd(kept, "fast");
        RawHttp.write(slow, "GET /slow" + LOCAL + "\r\n");
        Stream slowStream = busy.send(RawHttp2.get("/slow"), true);
        awaitUnderWay(2);
        assertThat(idle.end(idle.send(RawHttp2.get("/fast"), true)).body()).isEqualTo("fast");

        CompletableFuture<Void> stop = CompletableFuture.runAsync(encrypted::close);
        for (Socket socket : List.of(silent, unused, kept)) {
          assertThat(rest(socket)).isEmpty();
        }
        idle.awaitClose();
        release.complete();
        assertThat(rest(slow)).startsWith("HTTP/1.1 200 ").endsWith("done");
        assertThat(busy.end(slowStream).body()).isEqualTo("done");
        busy.awaitClose();
        stop.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
      }
    } finally {
      ofTls.close();
    }
  }

  @Test
  void aBodyThatIsArrivingIsReadToItsEnd() throws Exception {
    try (Socket pushing = open("POST /echo" + LOCAL + "Content-Length: 10\r\n\r\n12345");
        Socket idle = open("")) {
      awaitUnderWay(1);
      CompletableFuture<Void> stop = CompletableFuture.runAsync(listener::close);
      assertThat(rest(idle)).isEmpty();
      RawHttp.write(pushing, "67890");
      assertThat(rest(pushing))
          .startsWith("HTTP/1.1 200 ")
          .containsIgnoringCase("connection: close")
          .endsWith("1234567890");
      stop.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  @Test
  void anAnswerInPartsIsSentToItsEnd() throws Exception {
    try (Socket reading = open("GET /parts" + LOCAL + "\r\n");
        Socket idle = open("")) {
      awaitEnd(reading, "first");
      CompletableFuture<Void> stop = CompletableFuture.runAsync(listener::close);
      assertThat(rest(idle)).isEmpty();
      release.complete();
      assertThat(rest(reading)).endsWith("4\r\nlast\r\n0\r\n\r\n");
      stop.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  @Test
  void anOpenWebSocketGetsAClose() throws Exception {
    String upgrade =
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    try (Socket socket = open("GET /socket" + LOCAL + upgrade)) {
      awaitEnd(socket, "\r\n\r\n");
      socket.getOutputStream().write("\u0081\u0082\0\0\0\0hi".getBytes(ISO_8859_1));
      awaitEnd(socket, "\u0081\u0002hi");
      CompletableFuture<Void> stop = CompletableFuture.runAsync(listener::close);
      assertThat(rest(socket)).startsWith("\u0088");
      stop.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  @Test
  void noRequestIsCarriedOutAfterTheStop() throws Exception {
    try (Socket pipelining = open("GET /slow" + LOCAL + "\r\nGET /counted" + LOCAL + "\r\n");
        Socket later = open("GET /slow" + LOCAL + "\r\n");
        Socket idle = open("");
        RawHttp2 http2 = http2()) {
      Stream slow = http2.send(RawHttp2.get("/slow"), true);
      awaitUnderWay(3);

      CompletableFuture<Void> stop = CompletableFuture.runAsync(listener::close);
      assertThat(rest(idle)).isEmpty();
      RawHttp.write(later, "GET /counted" + LOCAL + "\r\n");
      http2.send(RawHttp2.get("/counted"), true);
      release.complete();
      assertThat(rest(pipelining)).endsWith("done");
      assertThat(rest(later)).endsWith("done");
      assertThat(http2.end(slow).body()).isEqualTo("done");
      http2.awaitClose();
      stop.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    }
    assertThat(counted).hasValue(0);
  }

  private void awaitUnderWay(int requests) throws InterruptedException {
    for (int i = 0; i < requests; i++) {
      assertThat(underWay.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)).isNotNull();
    }
  }

  private RawHttp2 http2() throws Exception {
    return http2(listener, null);
  }

  private static RawHttp2 http2(HttpListener listener, @Nullable SSLContext trusted)
      throws Exception {
    return new RawHttp2(URI.create(listener.address()), "127.0.0.1", new Http2Settings(), trusted);
  }

  private Socket open(String request) throws IOException {
    Socket socket = new Socket("127.0.0.1", URI.create(listener.address()).getPort());
    socket.setSoTimeout(PATIENCE_MILLIS);
    RawHttp.write(socket, request);
    return socket;
  }

  /** Reads up to the end of an answer, after which the connection stays open. */
  private static void awaitEnd(Socket socket, String end) throws IOException {
    StringBuilder answer = new StringBuilder();
    while (answer.indexOf(end) < 0) {
      int read = socket.getInputStream().read();
      assertThat(read).as("after %s", answer).isNotNegative();
      answer.append((char) read);
    }
  }

  private static String rest(Socket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
  }
}
