package hourglass.query.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.query.QueryOptions;
import hourglass.query.http.QueryServer.Reply;
import hourglass.store.ColumnsBuilder;
import hourglass.store.Mutation;
import hourglass.store.testkit.OracleStore;
import hourglass.testing.Patience;
import io.micrometer.core.instrument.Timer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Answers that grow with the number of types exceed a budget together. */
class ManyTypesTest {
  private static final int TYPES = 20_000;
  private static final int MIB = 1 << 20;
  private static final String HOUR = "hour=2026-11-20T08";
  private static final String ROWS = "/api/v1/rows?" + HOUR;

  private static final OracleStore STORE = filled();
  private static final QueryServer SERVER =
      new QueryServer(STORE, QueryOptions.builder().answerBytes(20 * MIB).build());

  private static OracleStore filled() {
    // Before its events, so that none is late: an oracle is slow to find late ones.
    Clock clock = Clock.fixed(Fill.HOUR.start(), ZoneOffset.UTC);
    OracleStore store = new OracleStore(clock, Duration.ofSeconds(2));
    List<Mutation> rows = new ArrayList<>();
    byte[] payload = "{\"n\":1}".getBytes(StandardCharsets.UTF_8);
    for (int type = 0; type < TYPES; type++) {
      ColumnsBuilder columns = new ColumnsBuilder(1, payload.length);
      TimeUuid name = TimeUuid.first(Fill.HOUR.startTicks() + type);
      columns.add(name.ticks(), name.lsb(), payload, 0, payload.length);
      rows.add(
          new Mutation(new RowKey(Fill.HOUR, "type-%05d".formatted(type), 0), columns.build()));
    }
    store.write(rows).toCompletableFuture().join();
    return store;
  }

  @AfterAll
  static void close() {
    SERVER.close();
    STORE.close();
  }

  private static double held() {
    return SERVER.meters.get("hourglass.query.held.bytes").gauge().value();
  }

  private static void awaitNothingHeld() {
    await().until(() -> held() == 0);
  }

  @Test
  void allTypesAreListedAndMemoryIsReleased() throws IOException {
    ObjectMapper json = new ObjectMapper();
    JsonNode rows = json.readTree(SERVER.get(ROWS).body());
    assertThat(rows.get("rows")).hasSize(TYPES);
    assertThat(rows.get("types")).hasSize(TYPES);
    assertThat(rows.get("claims").get("asked").asInt()).isEqualTo(TYPES);
    assertThat(rows.get("claims").get("answered").asInt()).isEqualTo(200);
    assertThat(rows.get("types").get(0).get("writers").asInt()).isZero();
    assertThat(rows.get("types").get(TYPES - 1).get("writers_unknown").asText())
        .isEqualTo("claims are read of the widest 200 only");
    JsonNode types = json.readTree(SERVER.get("/api/v1/types?" + HOUR).body());
    assertThat(types.get("types")).hasSize(TYPES);
    JsonNode hits = json.readTree(SERVER.get("/api/v1/hits?by=type&step=1h&" + HOUR).body());
    assertThat(hits.get("series")).hasSize(TYPES);
    assertThat(hits.get("total").asInt()).isEqualTo(TYPES);
    assertThat(SERVER.get("/api/v1/events?limit=all&format=raw&" + HOUR).body().lines())
        .hasSize(TYPES);
    awaitNothingHeld();
  }

  @Test
  void aLargeObjectIsChunkedAndCompressed() throws IOException {
    RawAnswer plain = RawAnswer.ask(SERVER.port(), ROWS);
    assertThat(plain.headers()).containsEntry("transfer-encoding", "chunked");
    assertThat(plain.headers()).doesNotContainKeys("trailer", "content-length");
    assertThat(plain.isWhole()).isTrue();
    RawAnswer packed = RawAnswer.ask(SERVER.port(), ROWS, "Accept-Encoding", "gzip");
    assertThat(packed.headers()).containsEntry("content-encoding", "gzip");
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(packed.body()))) {
      assertThat(in.readAllBytes()).isEqualTo(plain.body());
    }
    assertThat(SERVER.head(ROWS).headers())
        .containsEntry("Content-Type", "application/json")
        .containsEntry("Vary", "Accept-Encoding");
  }

  @Test
  void slowReadersDoNotBlockSmallQueries() throws IOException {
    List<Socket> slow = new ArrayList<>();
    try {
      // Each holds its rows until its client takes them. One after the other: of two that grow
      // together, both may be refused.
      long before = refusals();
      for (int i = 0; i < 8; i++) {
        Socket socket = ask(ROWS);
        slow.add(socket);
        socket.setSoTimeout(Patience.LONGEST_MILLIS);
        assertThat(socket.getInputStream().read()).isEqualTo('H');
      }
      await().until(() -> refusals() > before);
      assertThat(held()).isPositive().isLessThanOrEqualTo(20.0 * MIB);
      Reply refused = SERVER.get(ROWS);
      assertThat(refused.status()).isEqualTo(429);
      assertThat(refused.headers()).containsEntry("Retry-After", "1");
      assertThat(refused.body()).contains("query.max-answer-bytes");
      assertThat(SERVER.get("/api/v1/types?type=type-00007&" + HOUR).body())
          .contains("\"count\":1");
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
    awaitNothingHeld();
    assertThat(SERVER.get(ROWS).status()).isEqualTo(200);
  }

  private static long refusals() {
    return SERVER.meters.find("hourglass.query").tag("outcome", "too_many").timers().stream()
        .mapToLong(Timer::count)
        .sum();
  }

  private static Socket ask(String path) throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(16 << 10);
    socket.connect(new InetSocketAddress("127.0.0.1", SERVER.port()));
    String request = "GET " + path + " HTTP/1.1\r\nHost: h\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  @Test
  void answersLargerThanTheMemoryAreRefusedForGood() {
    try (QueryServer tiny =
        new QueryServer(STORE, QueryOptions.builder().answerBytes(2 * MIB).build())) {
      for (String path : new String[] {"rows", "types", "plan", "events", "stats?field=data.n"}) {
        Reply refused = tiny.get("/api/v1/" + path);
        assertThat(refused.status()).as(path).isEqualTo(400);
        assertThat(refused.body()).contains("bytes of memory; want fewer types or a shorter range");
      }
      assertThat(tiny.get("/api/v1/types?type=type-00007").status()).isEqualTo(200);
    }
  }

  @Test
  void manyConcurrentQueriesAreAnsweredOrRetryable() {
    ExecutorService clients = Executors.newFixedThreadPool(16);
    try {
      List<CompletableFuture<Reply>> replies = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        String path = i % 2 == 0 ? ROWS : "/api/v1/types?" + HOUR;
        replies.add(CompletableFuture.supplyAsync(() -> SERVER.get(path), clients));
      }
      for (CompletableFuture<Reply> reply : replies) {
        assertThat(reply.join().status()).isIn(200, 429);
      }
    } finally {
      clients.shutdown();
    }
    awaitNothingHeld();
  }
}
