package hourglass.config.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.config.gate.RequestMemory;
import hourglass.config.settings.HttpOptions;
import hourglass.testing.Patience;
import hourglass.testing.RawHttp;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Settings;
import io.vertx.core.Promise;
import io.vertx.ext.web.Router;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Requests hold no more memory than there is for bytes that no route has read; clients share it.
 */
class RequestMemoryHttpTest {
  private static final int PATIENCE_MILLIS = Patience.LONGEST_MILLIS;
  private static final int MEMORY = 1 << 20;

  /** Long heads that fill half of the memory, with 8 KiB each. */
  private static final int HEADS_MAX = 64;

  private static final String FLOODER = "127.0.0.2";
  private static final String LONG = "X-Filler: " + "x".repeat(6_000) + "\r\n";

  private final List<Socket> sockets = new ArrayList<>();
  private final VertxRuntime runtime = new VertxRuntime(new SimpleMeterRegistry());
  private volatile Promise<Void> release = Promise.promise();
  private HttpListener listener;

  @BeforeEach
  void listen() {
    Router router = Router.router(runtime.vertx());
    router.get("/fast").handler(ctx -> ctx.response().end("fast"));
    router
        .get("/slow")
        .handler(ctx -> release.future().onSuccess(done -> ctx.response().end("done")));
    router
        .post("/held")
        .handler(
            ctx -> {
              ctx.request().pause().body().onSuccess(body -> ctx.response().end("done"));
              release.future().onSuccess(done -> ctx.request().resume());
            });
    router.get("/socket").handler(ctx -> ctx.request().toWebSocket());
    HttpOptions options = AnyPort.options();
    listener =
        HttpListener.listen(
            runtime, options, null, router, RequestMemory.of(MEMORY), (request, refused) -> {});
  }

  @AfterEach
  void close() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    listener.close();
    runtime.close();
  }

  private Socket send(String client, String request) {
    try {
      int port = URI.create(listener.address()).getPort();
      Socket socket =
          new Socket(InetAddress.getByName("127.0.0.1"), port, InetAddress.getByName(client), 0);
      sockets.add(socket);
      socket.setSoTimeout(PATIENCE_MILLIS);
      RawHttp.write(socket, request);
      return socket;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String head(String path, String more) {
    return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + more;
  }

  private static String status(Socket socket) throws IOException {
    return new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1))
        .readLine();
  }

  private static boolean isAnswered(Socket socket) {
    try {
      return socket.getInputStream().available() > 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends more long heads than there is room for, and returns the sockets that are not refused. */
  private List<Socket> flood(String request) throws IOException {
    List<Socket> flood = new ArrayList<>();
    for (int i = 0; i < HEADS_MAX + 4; i++) {
      flood.add(send(FLOODER, request));
    }
    await().until(() -> flood.stream().filter(RequestMemoryHttpTest::isAnswered).count() == 4);
    List<Socket> waiting = new ArrayList<>();
    for (Socket socket : flood) {
      if (isAnswered(socket)) {
        assertThat(status(socket)).isEqualTo("HTTP/1.1 429 Too Many Requests");
      } else {
        waiting.add(socket);
      }
    }
    return waiting;
  }

  @Test
  void unfinishedHeadsOfOneClientLeaveRoomForOthers() throws IOException {
    List<Socket> waiting = flood(head("/fast", LONG));
    assertThat(status(send("127.0.0.3", head("/fast", LONG + "\r\n"))))
        .isEqualTo("HTTP/1.1 200 OK");
    assertThat(status(send(FLOODER, head("/fast", "\r\n")))).isEqualTo("HTTP/1.1 200 OK");
    for (Socket socket : waiting) {
      RawHttp.write(socket, "\r\n");
      assertThat(status(socket)).isEqualTo("HTTP/1.1 200 OK");
    }
    flood(head("/fast", LONG));
  }

  @Test
  void headersOfRunningRequestsCount() throws IOException {
    List<Socket> waiting = flood(head("/slow", LONG + "\r\n"));
    release.complete();
    for (Socket socket : waiting) {
      assertThat(status(socket)).isEqualTo("HTTP/1.1 200 OK");
    }
    release = Promise.promise();
    flood(head("/slow", LONG + "\r\n"));
  }

  @Test
  void aDisconnectedClientReleasesItsMemory() throws IOException {
    for (Socket socket : flood(head("/fast", LONG))) {
      socket.close();
    }
    await()
        .until(
            () -> {
              Socket more = send(FLOODER, head("/fast", LONG + "\r\n"));
              return status(more).equals("HTTP/1.1 200 OK");
            });
  }

  @Test
  void streamsOfHttp2Count() throws Exception {
    try (RawHttp2 client =
        new RawHttp2(URI.create(listener.address()), FLOODER, new Http2Settings())) {
      for (int round = 0; round < 2; round++) {
        List<RawHttp2.Stream> streams = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
          streams.add(client.send(RawHttp2.get("/slow"), true));
        }
        RawHttp2.Stream last = streams.get(99);
        assertThat(client.end(last).error()).isEqualTo(Http2Error.REFUSED_STREAM.code());
        release.complete();
        int answered = 0;
        for (RawHttp2.Stream stream : streams.subList(0, 99)) {
          answered += client.end(stream).body().equals("done") ? 1 : 0;
        }
        assertThat(answered).as("of 8 KiB and its fields, in half of a MiB").isBetween(55, 64);
        release = Promise.promise();
      }
    }
  }

  /** A stream whose body has arrived may have been carried out, so no client may repeat it. */
  @Test
  void trailersRefusedForMemoryAreNotRetryable() throws Exception {
    try (RawHttp2 client =
        new RawHttp2(URI.create(listener.address()), FLOODER, new Http2Settings())) {
      RawHttp2.Stream stream = client.send(RawHttp2.post("/held"), false);
      client.send(stream, "body", false);
      RawHttp2.Stream last = stream;
      for (int i = 0; i < HEADS_MAX; i++) {
        last = client.send(RawHttp2.get("/slow"), true);
      }
      assertThat(client.end(last).error()).isEqualTo(Http2Error.REFUSED_STREAM.code());
      client.sendTrailers(stream, new DefaultHttp2Headers(false).add("x", "x".repeat(9_000)));
      assertThat(client.end(stream).error()).isEqualTo(Http2Error.ENHANCE_YOUR_CALM.code());
    }
  }

  @Test
  void unreadBytesCount() throws Exception {
    URI server = URI.create(listener.address());
    String body = "x".repeat(60 << 10); // seven, with 8 KiB for each stream, in half of a MiB
    try (RawHttp2 client = new RawHttp2(server, FLOODER, new Http2Settings());
        RawHttp2 other = new RawHttp2(server, "127.0.0.3", new Http2Settings())) {
      List<RawHttp2.Stream> streams = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        streams.add(client.send(RawHttp2.post("/held"), false));
        client.send(streams.get(i), body, true);
      }
      for (RawHttp2.Stream stream : streams.subList(7, 12)) {
        assertThat(client.end(stream).error()).isEqualTo(Http2Error.ENHANCE_YOUR_CALM.code());
      }
      RawHttp2.Stream ofOther = other.send(RawHttp2.post("/held"), false);
      other.send(ofOther, body, true);
      release.complete();
      for (RawHttp2.Stream stream : streams.subList(0, 7)) {
        assertThat(client.end(stream).body()).isEqualTo("done");
      }
      assertThat(other.end(ofOther).body()).isEqualTo("done");
    }
  }

  /** Frames of a client would be unpacked whole, whatever their length. */
  @Test
  void framesOfWebSocketsAreNotCompressed() throws IOException {
    Socket socket =
        send(
            FLOODER,
            head(
                "/socket",
                "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                    + "Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n"));
    BufferedReader answer =
        new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1));
    List<String> lines = new ArrayList<>();
    for (String line = answer.readLine(); !line.isEmpty(); line = answer.readLine()) {
      lines.add(line.toLowerCase(Locale.ROOT));
    }
    assertThat(lines.get(0)).isEqualTo("http/1.1 101 switching protocols");
    assertThat(lines).noneMatch(line -> line.startsWith("sec-websocket-extensions"));
  }
}
