package hourglass.query.loki.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.query.QueryOptions;
import hourglass.query.http.QueryServer;
import hourglass.query.http.RawAnswer;
import hourglass.store.ColumnsBuilder;
import hourglass.store.ForwardingStore;
import hourglass.store.LateArrivalPlace;
import hourglass.store.LateArrivals;
import hourglass.store.Mutation;
import hourglass.store.WideColumnStore;
import hourglass.store.testkit.OracleStore;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Loki's tail, as logcli and Grafana ask for it. */
class LokiTailTest {
  private final OracleStore store = new OracleStore();

  /** Done by default; tails begin when it is. It tells by how much more time everything settles. */
  private volatile CompletableFuture<Long> stall = CompletableFuture.completedFuture(0L);

  private final WideColumnStore stalling =
      new ForwardingStore() {
        @Override
        protected WideColumnStore delegate() {
          return store;
        }

        @Override
        public CompletionStage<LateArrivals> lateArrivals(LateArrivalPlace after, int namesMax) {
          return stall.thenCombine(
              super.lateArrivals(after, namesMax),
              (ticks, found) ->
                  new LateArrivals(
                      found.settled(),
                      found.settledEnd(),
                      found.unsettled(),
                      found.more(),
                      found.truncated(),
                      found.settledTicks() + ticks));
        }
      };
  private final QueryServer server = new QueryServer(stalling, QueryOptions.builder().build());
  private final HttpClient client = HttpClient.newHttpClient();

  @AfterEach
  void close() {
    server.close();
    store.close();
  }

  /** A client of a tail. */
  private final class Tail implements WebSocket.Listener {
    final Queue<String> frames = new ConcurrentLinkedQueue<>();
    final AtomicInteger pings = new AtomicInteger();
    final AtomicInteger closed = new AtomicInteger();
    private final StringBuilder frame = new StringBuilder();
    final WebSocket socket;

    Tail(String query, String... headers) {
      WebSocket.Builder builder = client.newWebSocketBuilder();
      for (int i = 0; i < headers.length; i += 2) {
        builder.header(headers[i], headers[i + 1]);
      }
      URI uri = URI.create("ws://127.0.0.1:" + server.port() + "/loki/api/v1/tail?" + query);
      socket = builder.buildAsync(uri, this).join();
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      frame.append(data);
      if (last) {
        frames.add(frame.toString());
        frame.setLength(0);
      }
      from.request(1);
      return null;
    }

    @Override
    public @Nullable CompletionStage<?> onPing(WebSocket from, ByteBuffer message) {
      pings.incrementAndGet();
      from.request(1);
      return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
      closed.set(code);
      return null;
    }
  }

  private static String url(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** Now, as a tail has it. */
  private long write(String type, String payload) {
    long ticks = Ticks.of(Instant.now());
    write(type, ticks, payload);
    return ticks;
  }

  private void write(String type, long ticks, String payload) {
    TimeUuid name = TimeUuid.first(ticks);
    byte[] bytes = payload.getBytes(StandardCharsets.UTF_8);
    ColumnsBuilder out = new ColumnsBuilder(1, bytes.length);
    out.add(name.ticks(), name.lsb(), bytes, 0, bytes.length);
    RowKey row = new RowKey(Hour.ofTicks(ticks), type, 0);
    store.write(List.of(new Mutation(row, out.build()))).toCompletableFuture().join();
  }

  private static String frame(String labels, long ticks, String line) {
    return "{\"streams\":[{\"stream\":{%s},\"values\":[[\"%d\",\"%s\"]]}]}"
        .formatted(labels, 100 * (ticks - Ticks.UNIX_EPOCH), line);
  }

  @Test
  void linesSinceTheStartPrecedeNewOnes() {
    long start = Ticks.of(Instant.now()) - 60 * Ticks.PER_SECOND;
    String labels = ",\"labels\":{\"app\":\"c\"}}";
    write("t", start - 1, "{\"message\":\"before\"" + labels);
    write("t", start, "{\"message\":\"first hello\"" + labels);
    write("t", start + 1, "{\"message\":\"other\"" + labels);
    long nanos = 100 * (start - Ticks.UNIX_EPOCH);
    Tail tail = new Tail("start=" + nanos + "&query=" + url("{app=\"c\"} |= \"hello\""));
    String shown = "\"app\":\"c\",\"detected_level\":\"unknown\",\"service_name\":\"t\"";
    await().untilAsserted(() -> assertThat(tail.frames).hasSize(1));
    assertThat(tail.frames).containsExactly(frame(shown, start, "first hello"));
    long now = write("t", "{\"message\":\"hello \\\"you\\\"\"" + labels);
    write("t", "{\"message\":\"bye\"" + labels);
    await().untilAsserted(() -> assertThat(tail.frames).hasSize(2));
    assertThat(tail.frames)
        .containsExactly(
            frame(shown, start, "first hello"), frame(shown, now, "hello \\\"you\\\""));
    await().untilAsserted(() -> assertThat(tail.pings).hasPositiveValue());
    tail.socket.abort();
    await().until(() -> server.meters.get("hourglass.query.tails").gauge().value() == 0);
  }

  @Test
  void aLimitKeepsTheNewestOfTheOldLines() {
    long now = Ticks.of(Instant.now());
    for (int i = 0; i < 50; i++) {
      write("t", now - (100 - i) * Ticks.PER_SECOND, "{\"n\":" + i + "}");
    }
    Tail tail = new Tail("limit=3&query=" + url("{service_name=\"t\"}"));
    await().untilAsserted(() -> assertThat(tail.frames).hasSize(3));
    assertThat(tail.frames.peek()).contains("{\\\"n\\\":47}");
    Tail none = new Tail("limit=0&query=" + url("{service_name=\"t\"}"));
    write("t", "{\"n\":50}");
    await().untilAsserted(() -> assertThat(none.frames).hasSize(1));
    assertThat(none.frames.peek()).contains("{\\\"n\\\":50}");
  }

  /** The lines may have settled before the tail begins. */
  @Test
  void aTailOfNewLinesHasThoseAfterItsHandshake() {
    write("t", Ticks.of(Instant.now()) - 10 * Ticks.PER_SECOND, "{\"n\":1}");
    stall = new CompletableFuture<>();
    Tail tail = new Tail("limit=0&query=" + url("{service_name=\"t\"}"));
    write("t", "{\"n\":2}");
    stall.complete(60 * Ticks.PER_SECOND);
    await().untilAsserted(() -> assertThat(tail.frames).hasSize(1));
    assertThat(tail.frames.peek()).contains("{\\\"n\\\":2}");
  }

  @Test
  void longLinesAreSentWhole() {
    String line = "x".repeat(300_000);
    Tail tail = new Tail("limit=0&query=" + url("{app=\"c\"}"));
    long now = write("t", "{\"message\":\"" + line + "\",\"labels\":{\"app\":\"c\"}}");
    String shown = "\"app\":\"c\",\"detected_level\":\"unknown\",\"service_name\":\"t\"";
    await().untilAsserted(() -> assertThat(tail.frames).hasSize(1));
    assertThat(tail.frames).containsExactly(frame(shown, now, line));
  }

  @Test
  void aTailShowsTheTypesOfItsKeyAndEndsWithIt() {
    write("shop.cart", "{\"n\":1}");
    write("secret", "{\"n\":2}");
    Tail tail = new Tail("query=" + url("{service_name=~\".+\"}"), "Types", "shop.*");
    await().untilAsserted(() -> assertThat(tail.frames).hasSize(1));
    write("secret", "{\"n\":3}");
    write("shop.cart", "{\"n\":4}");
    await().untilAsserted(() -> assertThat(tail.frames).hasSize(2));
    assertThat(String.join("", tail.frames)).doesNotContain("secret");
    server.endKeys();
    await().untilAsserted(() -> assertThat(tail.closed).hasValue(1008));
  }

  @Test
  void badQueriesAreRefusedBeforeTheHandshake() {
    for (String query :
        List.of("{}", "{a=\"b\"} | pattern \"x\"", "{a=~\"(\"}", "rate({a=\"b\"}[1m])")) {
      assertThatThrownBy(() -> new Tail("query=" + url(query)))
          .isInstanceOf(CompletionException.class)
          .cause()
          .isInstanceOfSatisfying(
              WebSocketHandshakeException.class,
              e -> assertThat(e.getResponse().statusCode()).isEqualTo(400));
    }
    QueryServer.Reply reply = server.get("/loki/api/v1/tail?query=" + url("{a=\"b\"}"));
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.body()).isEqualTo("a tail is a WebSocket; want Upgrade: websocket\n");
  }

  @Test
  void tailsAreBounded() {
    for (int i = 0; i < QueryServer.TAILS.concurrentMax(); i++) {
      new Tail("query=" + url("{a=\"b\"}"));
    }
    Tail more = new Tail("query=" + url("{a=\"b\"}"));
    await().untilAsserted(() -> assertThat(more.closed).hasValue(1013));
  }

  @Test
  void aStoppingServerEndsItsTails() {
    Tail tail = new Tail("query=" + url("{a=\"b\"}"));
    await().until(() -> server.meters.get("hourglass.query.tails").gauge().value() == 1);
    server.endTails();
    await().untilAsserted(() -> assertThat(tail.closed).hasValue(1001));
  }

  private static final String UPGRADE =
      "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
          + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

  private static final String TAIL = "/loki/api/v1/tail?query=%7Bapp%3D%22c%22%7D";

  @Test
  void aTailWithABodyIsRefused() throws IOException {
    try (Socket socket = new Socket("127.0.0.1", server.port())) {
      RawAnswer.write(socket, "GET " + TAIL + " HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n");
      RawAnswer.write(socket, UPGRADE + "\r\n");
      assertThat(RawAnswer.line(socket.getInputStream())).isEqualTo("HTTP/1.1 400 Bad Request");
    }
  }

  @Test
  void aConnectionOutlivesARefusedTail() throws IOException {
    try (Socket socket = new Socket("127.0.0.1", server.port())) {
      String bad = "GET /loki/api/v1/tail?query=x HTTP/1.1\r\nHost: h\r\n" + UPGRADE + "\r\n";
      RawAnswer.write(socket, bad + bad.replace(UPGRADE, "Connection: close\r\n"));
      String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(all.split("HTTP/1.1 400 Bad Request", -1)).hasSize(3);
    }
  }

  @Test
  void headIsRefused() {
    assertThat(server.head(TAIL).status()).isEqualTo(400);
  }
}
