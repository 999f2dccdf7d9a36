package hourglass.program.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.program.ServerProcess;
import hourglass.testing.Patience;
import hourglass.testing.RawHttp;
import hourglass.testing.Tier;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each limit of a client, by a key of its own: what passes, what is refused, and for how long. */
@Tag(Tier.IN_FIRST)
class LimitsIT {
  private static final Duration PATIENCE = Patience.LONGEST;

  /** More than the sockets between server and client hold. */
  private static final int EVENTS = 30_000;

  private static final String ALL = "/api/v1/events?format=ndjson&limit=all&type=filler";

  @TempDir static Path folder;
  private static ServerProcess server;

  @BeforeAll
  static void start() throws Exception {
    TestKeys keys =
        new TestKeys(folder)
            .with("filler", "scopes = [admin], limits { events-per-second = 1000000000 }")
            .with("events", limits("events-per-second = 1"))
            .with("paced", limits("events-per-second = 1000"))
            .with("bytes", limits("bytes-per-second = 100"))
            .with("chunked", limits("bytes-per-second = 100"))
            .with("requests", limits("requests = 1"))
            .with("queries", limits("queries = 1"))
            .with("tails", limits("tails = 1"))
            .with("reader", limits("read-bytes-per-minute = 1000"))
            .with("other", "scopes = [ingest]");
    server =
        ServerProcess.start(folder, "keys.file=" + keys.write(), "limits.events-per-second=10");
    for (int i = 0; i < EVENTS / 5_000; i++) {
      assertThat(push("filler", events("filler", 5_000, "x".repeat(1_000))).statusCode())
          .isEqualTo(200);
    }
  }

  private static String limits(String limits) {
    return "scopes = [ingest, query], limits { events-per-second = 1000000, %s }".formatted(limits);
  }

  @AfterAll
  static void stop() {
    assertThat(server.log()).doesNotContain(" ERROR ");
    server.close();
  }

  /** The bucket holds one second: a larger push passes when it is full, and leaves a debt. */
  @Test
  void pushesBeyondEventsPerSecondAreRefused() throws Exception {
    assertThat(push("events", events("paid", 1_000, "")).statusCode()).isEqualTo(200);
    assertRefused(push("events", events("refused", 1, "")), "events-per-second", 500, 1_000);
    assertRefused(push("events", events("refused", 1_000, "")), "events-per-second", 500, 1_000);
    assertThat(get("filler", "/api/v1/types").body()).contains("paid").doesNotContain("refused");
    assertThat(get("events", "/api/v1/types").statusCode()).isEqualTo(200);
  }

  /** The first thousand events pass at once, and the others at a thousand a second. */
  @Test
  void aPushSlightlyAboveItsRateIsDelayed() throws Exception {
    long began = System.nanoTime();
    assertThat(push("paced", events("paid", 1_000, "")).statusCode()).isEqualTo(200);
    for (int i = 0; i < 20; i++) {
      assertThat(push("paced", events("paid", 20, "")).statusCode()).isEqualTo(200);
    }
    assertThat(Duration.ofNanos(System.nanoTime() - began))
        .isGreaterThanOrEqualTo(Duration.ofMillis(400));
  }

  @Test
  void aKeyWithoutLimitsHasTheDefaultOnes() throws Exception {
    assertThat(push("other", events("paid", 10_000, "")).statusCode()).isEqualTo(200);
    assertRefused(push("other", events("refused", 1, "")), "events-per-second", 500, 1_000);
  }

  @Test
  void pushesBeyondBytesPerSecondAreRefused() throws Exception {
    String body = events("paid", 100, "x".repeat(980));
    assertThat(push("bytes", body).statusCode()).isEqualTo(200);
    assertRefused(push("bytes", events("refused", 1, "")), "bytes-per-second", 500, 1_200);
    assertRefused(push("bytes", "no event"), "bytes-per-second", 500, 1_200);
  }

  @Test
  void chunkedPushesBeyondBytesPerSecondAreRefused() throws Exception {
    byte[] body = events("paid", 100, "x".repeat(980)).getBytes();
    BodyPublisher chunked = BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body));
    assertThat(push("chunked", chunked).statusCode()).isEqualTo(200);
    assertRefused(push("chunked", chunked), "bytes-per-second", 500, 1_200);
  }

  @Test
  void concurrentRequestsBeyondTheLimitAreRefused() throws Exception {
    try (Socket slow = RawHttp.connect(server.port())) {
      RawHttp.write(
          slow,
          "POST /api/v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: %s\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n"
              .formatted(TestKeys.bearer("requests")));
      // Otherwise the next request might be sooner, and this one refused.
      byte[] taken = slow.getInputStream().readNBytes("HTTP/1.1 100".length());
      assertThat(taken).asString().isEqualTo("HTTP/1.1 100");
      assertRefused(get("requests", "/api/v1/types"), "requests", 1, 1);
      assertRefused(push("requests", events("refused", 1, "")), "requests", 1, 1);
    }
    awaitServed("requests", "/api/v1/types"); // its client has left
    assertThat(push("requests", events("paid", 1, "")).statusCode()).isEqualTo(200);
  }

  @Test
  void concurrentQueriesBeyondTheLimitAreRefused() throws Exception {
    try (Socket unread = unread("queries", ALL)) {
      // Otherwise the next question might be sooner, and this one refused.
      byte[] status = unread.getInputStream().readNBytes("HTTP/1.1 200".length());
      assertThat(status).asString().isEqualTo("HTTP/1.1 200");
      awaitRefused("queries", "/api/v1/types", "queries");
      assertThat(push("queries", events("paid", 1, "")).statusCode()).isEqualTo(200);
      assertThat(get("filler", "/api/v1/types").statusCode()).isEqualTo(200);
    }
    awaitServed("queries", "/api/v1/types");
  }

  @Test
  void concurrentTailsBeyondTheLimitAreRefused() throws Exception {
    try (Socket tail = unread("tails", "/api/v1/tail")) {
      assertThat(tail.getInputStream().read()).isEqualTo('H'); // as in HTTP/1.1 200
      assertRefused(get("tails", "/api/v1/tail"), "tails", 1, 1);
      assertThat(get("tails", "/api/v1/types").statusCode()).isEqualTo(200);
    }
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              try (Socket next = unread("tails", "/api/v1/tail")) {
                return new String(next.getInputStream().readNBytes(12)).endsWith("200");
              }
            });
  }

  /** An answer is never truncated: bytes beyond the limit become a debt. */
  @Test
  void queriesBeyondReadBytesPerMinuteAreRefused() throws Exception {
    String hundred = "/api/v1/events?format=ndjson&limit=100&type=filler";
    HttpResponse<String> answer = get("reader", hundred);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body().lines()).hasSize(100);
    assertRefused(get("reader", hundred), "read-bytes-per-minute", 5_000, 7_000);
    assertRefused(get("reader", "/api/v1/tail"), "read-bytes-per-minute", 5_000, 7_000);
    assertThat(push("reader", events("paid", 1, "")).statusCode()).isEqualTo(200);
  }

  private static void awaitRefused(String key, String path, String limit) {
    await().atMost(PATIENCE).untilAsserted(() -> assertRefused(get(key, path), limit, 1, 1));
  }

  private static void awaitServed(String key, String path) {
    await().atMost(PATIENCE).until(() -> get(key, path).statusCode() == 200);
  }

  private static void assertRefused(
      HttpResponse<String> answer, String limit, int secondsMin, int secondsMax) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(429);
    assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    assertThat(answer.headers().firstValueAsLong("Retry-After").orElseThrow())
        .isBetween((long) secondsMin, (long) secondsMax);
    JsonObject problem = new JsonObject(answer.body());
    assertThat(problem.getString("limit")).isEqualTo(limit);
    assertThat(problem.getInteger("status")).isEqualTo(429);
    assertThat(problem.getString("detail")).startsWith("limits." + limit + " = ");
  }

  private static String events(String type, int count, String text) {
    String line = "{\"type\":\"%s\",\"text\":\"%s\"}%n".formatted(type, text);
    return line.repeat(count);
  }

  private static HttpResponse<String> push(String key, String body) throws Exception {
    return push(key, BodyPublishers.ofString(body));
  }

  private static HttpResponse<String> push(String key, BodyPublisher body) throws Exception {
    return server.send(
        HttpRequest.newBuilder(server.uri("/api/v1/events"))
            .timeout(PATIENCE)
            .header("Authorization", TestKeys.bearer(key))
            .header("Content-Type", "application/x-ndjson")
            .POST(body));
  }

  private static HttpResponse<String> get(String key, String path) throws Exception {
    return server.send(
        HttpRequest.newBuilder(server.uri(path))
            .timeout(PATIENCE)
            .header("Authorization", TestKeys.bearer(key)));
  }

  private static Socket unread(String key, String path) throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(8 << 10);
    socket.connect(new InetSocketAddress("127.0.0.1", server.port()));
    socket.setSoTimeout((int) PATIENCE.toMillis());
    RawHttp.write(
        socket,
        "GET %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: %s\r\n\r\n"
            .formatted(path, TestKeys.bearer(key)));
    return socket;
  }
}
