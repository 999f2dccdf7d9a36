package hourglass.config.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.config.server.RawHttp2.End;
import hourglass.config.server.RawHttp2.Stream;
import hourglass.config.settings.HttpOptions;
import hourglass.config.settings.Settings;
import hourglass.testing.Patience;
import hourglass.testing.RawHttp;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.handler.HttpException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** HTTP/2 with prior knowledge is as strict and as patient as HTTP/1. */
class Http2Test {
  private static final Duration IDLE = Duration.ofSeconds(1);
  private static final int PATIENCE_MILLIS = Patience.LONGEST_MILLIS;
  private static final int CONNECTIONS_MAX = 4;
  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

  private static final Promise<Void> release = Promise.promise();
  private static final Promise<Void> read = Promise.promise();
  private static final AtomicInteger slow = new AtomicInteger();
  private static final AtomicInteger cut = new AtomicInteger();
  private static VertxRuntime runtime;
  private static HttpListener listener;

  /** A runtime of its own, since listeners of one runtime share a free port. */
  private static VertxRuntime ofImpatient;

  /** The default window: this client never applies the settings of the server. */
  private static final int STREAM_WINDOW = 65_535;

  private static final int CONNECTION_WINDOW = 1 << 20;

  private static final int DROPPED_BYTES_MAX = 64 << 20;

  private static HttpListener impatient;

  @BeforeAll
  static void listen() {
    runtime = new VertxRuntime(new SimpleMeterRegistry());
    listener = listen(runtime, Settings.defaults().http().idleTimeout());
    ofImpatient = new VertxRuntime(new SimpleMeterRegistry());
    impatient = listen(ofImpatient, IDLE);
  }

  private static Router routes(VertxRuntime runtime) {
    Router router = Router.router(runtime.vertx());
    router.get("/fast").handler(ctx -> ctx.response().end("fast"));
    router
        .get("/cookie")
        .handler(ctx -> ctx.response().end(ctx.request().getCookie("b").getValue()));
    router
        .get("/slow")
        .handler(
            ctx -> {
              slow.incrementAndGet();
              release.future().onSuccess(done -> ctx.response().end("done"));
            });
    router
        .post("/echo")
        .handler(ctx -> ctx.request().body().onSuccess(body -> ctx.response().end(body)));
    router
        .post("/held")
        .handler(
            ctx -> {
              ctx.request().pause().body().onSuccess(ctx.response()::end);
              read.future().onSuccess(done -> ctx.request().resume());
            });
    router
        .get("/broken")
        .handler(
            ctx ->
                ctx.response()
                    .setChunked(true)
                    .write("half")
                    .onSuccess(written -> ctx.fail(new HttpException(503))));
    router
        .get("/untaken")
        .handler(ctx -> writeOn(ctx.response().setChunked(true), cut::incrementAndGet));
    ProblemPages.mount(router);
    return router;
  }

  private static HttpListener listen(VertxRuntime runtime, Duration idleTimeout) {
    HttpOptions options = AnyPort.options(idleTimeout, CONNECTIONS_MAX);
    return HttpListener.listen(runtime, options, null, routes(runtime));
  }

  /** A body without an end. */
  private static void writeOn(HttpServerResponse response, Runnable onCut) {
    response
        .write(Buffer.buffer(new byte[64 << 10]))
        .onSuccess(written -> writeOn(response, onCut))
        .onFailure(failure -> onCut.run());
  }

  @AfterAll
  static void close() {
    release.tryComplete();
    listener.close();
    runtime.close();
    impatient.close();
    ofImpatient.close();
  }

  @Test
  void requestsShareAConnection() throws Exception {
    try (RawHttp2 client = open("127.0.0.1")) {
      Stream echo = client.send(RawHttp2.post("/echo"), false);
      End fast = client.end(client.send(RawHttp2.get("/fast"), true));
      assertThat(fast.status()).isEqualTo("200");
      assertThat(fast.body()).isEqualTo("fast");
      assertThat(fast.heads().get(0).contains("x-request-id")).isTrue();
      String body = "x".repeat(200_000);
      client.send(echo, body, true);
      assertThat(client.end(echo).body()).isEqualTo(body);
      End missing = client.end(client.send(RawHttp2.get("/nope"), true));
      assertThat(missing.status()).isEqualTo("404");
      assertThat(missing.body()).contains("\"status\":404");
    }
  }

  @Test
  void anOfferToUpgradeIsIgnored() throws Exception {
    try (Socket socket = socket(uri(listener))) {
      RawHttp.write(
          socket,
          "POST /echo HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\n"
              + "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n"
              + "Content-Length: 4\r\n\r\nbody");
      socket.shutdownOutput();
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(answer).startsWith("HTTP/1.1 200 OK").endsWith("\r\n\r\nbody");
    }
  }

  /** Bytes that only begin as the preface are a bad request of HTTP/1. */
  @Test
  void aBrokenPrefaceIsRefused() throws Exception {
    try (Socket socket = socket(uri(listener))) {
      RawHttp.write(socket, PREFACE.replace("SM", "XX"));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(answer).startsWith("HTTP/1.1 505 ");
    }
  }

  @Test
  void hostsAndOriginsAreChecked() throws Exception {
    try (RawHttp2 client = open("127.0.0.1")) {
      for (String name : List.of("evil.example", "evil.example:80")) {
        Http2Headers head = RawHttp2.get("/fast").authority(name);
        assertThat(client.end(client.send(head, true)).status()).as(name).isEqualTo("421");
        head = RawHttp2.get("/fast").add("host", name);
        head.remove(":authority");
        assertThat(client.end(client.send(head, true)).status()).as(name).isEqualTo("421");
      }
      Http2Headers known = RawHttp2.get("/fast").authority("[::1]:8080");
      assertThat(client.end(client.send(known, true)).status()).isEqualTo("200");
      Http2Headers foreign = RawHttp2.get("/fast").add("origin", "http://evil.example");
      assertThat(client.end(client.send(foreign, true)).status()).isEqualTo("403");
      Http2Headers own = RawHttp2.get("/fast").add("origin", "http://localhost");
      assertThat(client.end(client.send(own, true)).status()).isEqualTo("200");
    }
  }

  static List<Consumer<Http2Headers>> malformed() {
    return List.of(
        head -> head.add("host", "evil.example"),
        head -> head.add(":authority", "evil.example"),
        head -> head.remove(":authority"),
        head -> {
          head.remove(":authority");
          head.add("host", "localhost").add("host", "evil.example");
        },
        head -> head.add("authorization", "Bearer a").add("authorization", "Bearer b"),
        head -> head.add("x-api-key", "a").add("x-api-key", "a"),
        head -> head.authority("user@localhost"),
        head -> head.path("http://localhost/fast"),
        head -> head.path("fast"),
        head -> head.path("/fa st"),
        head -> head.path("/f\u00e4st"),
        head -> head.add(":path", "/other"),
        head -> head.remove(":path"),
        head -> head.method("GE T"),
        head -> head.remove(":method"),
        head -> head.scheme("ftp"),
        head -> head.remove(":scheme"),
        head -> head.add("Upper", "x"),
        head -> head.add("a b", "x"),
        head -> head.add("", "x"),
        head -> head.add("x", "a\r\nb: c"),
        head -> head.add("x", "a\0"),
        head -> head.add("x", " a"),
        head -> head.add("x", "a\t"),
        head -> head.add("connection", "close"),
        head -> head.add("transfer-encoding", "chunked"),
        head -> head.add("upgrade", "websocket"),
        head -> head.add("te", "gzip"),
        head -> head.add("content-length", "0").add("content-length", "1"),
        head -> head.add("content-length", "+0"),
        head -> head.add("content-length", "1"));
  }

  @ParameterizedTest
  @MethodSource("malformed")
  void aMalformedRequestResetsOnlyItsStream(Consumer<Http2Headers> change) throws Exception {
    try (RawHttp2 client = open("127.0.0.1")) {
      Http2Headers head = RawHttp2.get("/fast");
      change.accept(head);
      End end = client.end(client.send(head, true));
      assertThat(end.heads()).as("%s", head).isEmpty();
      assertThat(end.error()).as("%s", head).isEqualTo(Http2Error.PROTOCOL_ERROR.code());
      assertThat(client.end(client.send(RawHttp2.get("/fast"), true)).body()).isEqualTo("fast");
    }
  }

  @Test
  void aBodyOfAnotherLengthIsRefused() throws Exception {
    try (RawHttp2 client = open("127.0.0.1")) {
      for (String body : List.of("abc", "abcde")) {
        Stream stream = client.send(RawHttp2.post("/echo").add("content-length", "4"), false);
        client.send(stream, body, true);
        assertThat(client.end(stream).error()).isEqualTo(Http2Error.PROTOCOL_ERROR.code());
      }
    }
  }

  @Test
  void partsOfACookieAreJoined() throws Exception {
    try (RawHttp2 client = open("127.0.0.1")) {
      Http2Headers head = RawHttp2.get("/cookie").add("cookie", "a=1").add("cookie", "b=2");
      assertThat(client.end(client.send(head, true)).body()).isEqualTo("2");
    }
  }

  @Test
  void headersAreBoundedInBytes() throws Exception {
    try (RawHttp2 client = open("127.0.0.1")) {
      Http2Headers large = RawHttp2.get("/fast").add("x", "x".repeat(31_000));
      assertThat(client.end(client.send(large, true)).status()).isEqualTo("200");
      Http2Headers larger = RawHttp2.get("/fast").add("x", "x".repeat(33_000));
      assertThat(client.end(client.send(larger, true)).status()).isEqualTo("431");
      assertThat(client.end(client.send(RawHttp2.get("/fast"), true)).body()).isEqualTo("fast");
    }
  }

  @Test
  void headersAreBoundedInNumber() throws Exception {
    try (RawHttp2 client = open("127.0.0.1")) {
      Http2Headers most = RawHttp2.get("/fast");
      while (most.size() < 200) {
        most.add("x", "");
      }
      assertThat(client.end(client.send(most, true)).status()).isEqualTo("200");
      Http2Headers more = most.add("x", "");
      assertThat(client.end(client.send(more, true)).status()).isEqualTo("431");
      assertThat(client.end(client.send(RawHttp2.get("/fast"), true)).body()).isEqualTo("fast");
    }
  }

  @Test
  void aBrokenAnswerIsAResetStream() throws Exception {
    try (RawHttp2 client = open("127.0.0.1")) {
      End broken = client.end(client.send(RawHttp2.get("/broken"), true));
      assertThat(broken.status()).isEqualTo("200");
      assertThat(broken.body()).isEqualTo("half");
      assertThat(broken.error()).isEqualTo(Http2Error.INTERNAL_ERROR.code());
      assertThat(client.end(client.send(RawHttp2.get("/fast"), true)).body()).isEqualTo("fast");
    }
  }

  /** The bound holds even for a client that never acknowledges the settings. */
  @Test
  void streamsAreBounded() throws Exception {
    try (RawHttp2 client = open("127.0.0.1")) {
      int before = slow.get();
      List<Stream> streams = new ArrayList<>();
      for (int i = 0; i < 110; i++) {
        streams.add(client.send(RawHttp2.get("/slow"), true));
      }
      for (Stream refused : streams.subList(100, 110)) {
        assertThat(client.end(refused).error()).isEqualTo(Http2Error.REFUSED_STREAM.code());
      }
      assertThat(slow.get() - before).isEqualTo(100);
      for (Stream taken : streams.subList(0, 100)) {
        client.reset(taken);
      }
      assertThat(client.end(client.send(RawHttp2.get("/fast"), true)).body()).isEqualTo("fast");
    }
  }

  @Test
  void rapidResetsEndTheConnection() throws Exception {
    try (RawHttp2 client = open("127.0.0.1")) {
      for (int i = 0; i < 1000 && client.isOpen(); i++) {
        client.reset(client.send(RawHttp2.get("/slow"), true));
      }
      client.awaitClose();
      assertThat(client.isOpen()).isFalse();
    }
  }

  @Test
  void stalledClientsAreCutOff() throws Exception {
    URI server = uri(impatient);
    try (RawHttp2 silent = new RawHttp2(server, "127.0.0.1", settings());
        RawHttp2 untaking = new RawHttp2(server, "127.0.0.4", settings().initialWindowSize(0))) {
      Stream untaken = untaking.send(RawHttp2.get("/untaken"), true);
      try (RawHttp2 client = new RawHttp2(server, "127.0.0.3", settings())) {
        Stream body = client.send(RawHttp2.post("/echo"), false);
        client.send(body, "{", false);
        Stream unwanted = client.send(RawHttp2.post("/nope"), false);
        assertThat(client.end(body).error()).isEqualTo(Http2Error.CANCEL.code());
        assertThat(client.end(unwanted).status()).isEqualTo("404");
        client.awaitClose();
      }
      assertThat(untaking.end(untaken).error()).isEqualTo(Http2Error.CANCEL.code());
      await().until(() -> cut.get() > 0);
      silent.awaitClose();
    }
    try (Socket begun = socket(server)) {
      RawHttp.write(begun, PREFACE);
      assertThat(begun.getInputStream().readAllBytes()).as("its settings alone").isNotEmpty();
    }
  }

  /** A client may still send bytes that were on their way; beyond the bound it sends in vain. */
  @Test
  void theRestOfARefusedBodyIsDiscardedUpToABound() throws Exception {
    try (RawHttp2 client = open("127.0.0.1")) {
      Stream refused = client.send(RawHttp2.post("/nope"), false);
      assertThat(client.end(refused).status()).isEqualTo("404");
      String part = "x".repeat(1 << 20);
      for (int i = 0; i < DROPPED_BYTES_MAX / part.length(); i++) {
        client.send(refused, part, false);
      }
      assertThat(client.end(client.send(RawHttp2.get("/fast"), true)).body()).isEqualTo("fast");
      client.send(refused, "x", false);
      assertThat(client.end(refused).error()).isEqualTo(Http2Error.NO_ERROR.code());
      assertThat(client.end(client.send(RawHttp2.get("/fast"), true)).body()).isEqualTo("fast");
    }
  }

  @Test
  void clientsWaitingForAnAnswerAreNotCutOff() throws Exception {
    URI server = uri(impatient);
    try (RawHttp2 client = new RawHttp2(server, "127.0.0.1", settings());
        RawHttp2 other = new RawHttp2(server, "127.0.0.3", settings())) {
      Stream asking = client.send(RawHttp2.get("/slow"), true);
      other.awaitClose(); // it has waited for as long as an idle one may
      release.complete();
      assertThat(client.end(asking).body()).isEqualTo("done");
    }
  }

  /**
   * Bodies that are not read use up the window of their connection, and then no stream may send.
   */
  @Test
  void clientsWaitingForTheServerToReadAreNotCutOff() throws Exception {
    URI server = uri(impatient);
    try (RawHttp2 client = new RawHttp2(server, "127.0.0.1", settings());
        RawHttp2 other = new RawHttp2(server, "127.0.0.3", settings())) {
      String body = "x".repeat(STREAM_WINDOW);
      List<Stream> held = new ArrayList<>();
      for (int i = 0; i <= CONNECTION_WINDOW / STREAM_WINDOW; i++) {
        held.add(client.send(RawHttp2.post("/held"), false));
        client.send(held.get(i), body, false);
      }
      Stream behind = client.send(RawHttp2.post("/echo"), false);
      other.awaitClose(); // it has waited for as long as an idle one may
      read.complete();
      client.send(behind, "y", true);
      assertThat(client.end(behind).body()).isEqualTo("y");
      held.forEach(stream -> client.send(stream, "z", true));
      for (Stream stream : held) {
        assertThat(client.end(stream).body()).isEqualTo(body + "z");
      }
    }
  }

  /** A full listener gives the place of an idle connection to a client with fewer. */
  @Test
  void anIdleConnectionYieldsItsPlace() throws Exception {
    List<RawHttp2> flood = new ArrayList<>();
    try {
      for (int i = 0; i < CONNECTIONS_MAX; i++) {
        flood.add(open("127.0.0.2"));
        flood.get(i).end(flood.get(i).send(RawHttp2.get("/fast"), true));
      }
      try (RawHttp2 other = open("127.0.0.3")) {
        assertThat(other.end(other.send(RawHttp2.get("/fast"), true)).body()).isEqualTo("fast");
      }
      flood.get(0).awaitClose();
      assertThat(flood.get(0).isOpen()).isFalse();
    } finally {
      flood.forEach(RawHttp2::close);
    }
  }

  private static URI uri(HttpListener listener) {
    return URI.create(listener.address());
  }

  private static Http2Settings settings() {
    return Http2Settings.defaultSettings();
  }

  private static RawHttp2 open(String localAddress) throws Exception {
    return new RawHttp2(uri(listener), localAddress, settings());
  }

  private static Socket socket(URI server) throws Exception {
    Socket socket = new Socket("127.0.0.1", server.getPort());
    socket.setSoTimeout(PATIENCE_MILLIS);
    return socket;
  }
}
