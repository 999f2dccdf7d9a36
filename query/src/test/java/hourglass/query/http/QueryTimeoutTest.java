package hourglass.query.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.query.QueryBounds;
import hourglass.query.QueryOptions;
import hourglass.query.http.QueryServer.Reply;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValues;
import hourglass.store.ForwardingStore;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.WideColumnStore;
import hourglass.store.testkit.LatentStore;
import hourglass.store.testkit.OracleStore;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A query that runs for too long ends, and never looks whole. */
class QueryTimeoutTest {
  private static final int COLUMNS = 10_000;
  private static final String TOLD = "query.timeout: the query ran for more than 0.2 s";

  private static final String ROW = "20112608|large|0";

  /** A store with a large row, which no test changes. */
  private static final OracleStore FILLED = new OracleStore();

  private final LatentStore store = new LatentStore(Fill.shared(FILLED));
  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH.plusSeconds(1));
  private final InstantSource source = now::get;
  private final Clock clock = source.withZone(ZoneOffset.UTC);
  private final AtomicInteger answered = new AtomicInteger();

  /** Later slices are never answered. */
  private volatile int answersMax;

  private final WideColumnStore stuck =
      new ForwardingStore() {
        @Override
        protected WideColumnStore delegate() {
          return store;
        }

        @Override
        public CompletionStage<Slice> slice(SliceQuery query) {
          return answered.incrementAndGet() > answersMax
              ? new CompletableFuture<>()
              : store.slice(query);
        }

        @Override
        public CompletionStage<FieldValues> values(FieldQuery query) {
          return new CompletableFuture<>();
        }
      };

  @BeforeAll
  static void fill() {
    Fill.row(FILLED, "large", COLUMNS, "x".repeat(4000));
  }

  @AfterEach
  void close() {
    store.close();
  }

  @AfterAll
  static void empty() {
    FILLED.close();
  }

  private static QueryOptions options(long timeoutMillis) {
    return QueryOptions.builder()
        .sliceColumns(64)
        .bounds(new QueryBounds(100, 1L << 40, timeoutMillis))
        .stallTimeoutMillis(86_400_000)
        .build();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "events",
        "events?partial=allow",
        "events?limit=all",
        "events?limit=all&format=csv&partial=allow",
        "types?contains=x",
        "hits?hour=2026-11-20T08&where=data.n%3E5",
      })
  void aTimeoutBeforeTheFirstByteIsAnError(String path) {
    try (QueryServer server = new QueryServer(stuck, options(200))) {
      Reply reply = server.get("/api/v1/" + path);
      assertThat(reply.status()).isEqualTo(503);
      assertThat(reply.headers()).containsEntry("Retry-After", "1").doesNotContainKey("Trailer");
      assertThat(reply.body()).startsWith(TOLD);
      server.awaitOutcome("timed_out");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"events?", "events?limit=all&", "hits?hour=2026-11-20T08&where=data.n%3E5&"})
  void aRequestMayHaveAShorterTimeout(String path) {
    try (QueryServer server = new QueryServer(stuck, options(60_000))) {
      Reply reply = server.get("/api/v1/" + path + "timeout=200ms");
      assertThat(reply.status()).isEqualTo(503);
      assertThat(reply.headers()).containsEntry("Retry-After", "1");
      assertThat(reply.body())
          .matches(
              "timeout: the query ran for more than 0\\.2 s, and read [01] rows and 0 bytes; want .*");
      server.awaitOutcome("own_timeout");
    }
  }

  @Test
  void aTimeoutAsLongAsThatOfTheServerIsTheServers() {
    try (QueryServer server = new QueryServer(stuck, options(200))) {
      assertThat(server.get("/api/v1/events?timeout=200ms").body()).startsWith(TOLD);
      server.awaitOutcome("timed_out");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "events?",
        "events?limit=all&format=ndjson&",
        "types?contains=x&",
        "hits?hour=2026-11-20T08&where=data.n%3E5&",
        "stats?field=data.n&",
        "top?field=data.n&",
        "fields?",
      })
  void aPartialAnswerEndsWithItsTimeoutAndNamesTheRow(String path) {
    try (QueryServer server = new QueryServer(stuck, options(60_000))) {
      Reply reply = server.get("/api/v1/" + path + "partial=allow&timeout=200ms");
      assertThat(reply.status()).isEqualTo(200);
      if (path.contains("ndjson")) {
        assertThat(reply.headers())
            .containsEntry("Hourglass-Complete", "false")
            .containsEntry("Hourglass-Rows-Missing", ROW);
        assertThat(reply.body()).isEmpty();
      } else {
        assertThat(reply.body())
            .contains("\"asked\":1,\"answered\":0,\"missing\":[\"" + ROW + "\"]")
            .contains("\"complete\":false");
      }
      server.awaitOutcome("partial");
    }
  }

  @Test
  void aPartialStreamKeepsTheEventsBeforeItsTimeout() {
    answersMax = 40;
    try (QueryServer server =
        new QueryServer(stuck, options(Duration.ofDays(7).toMillis()), clock)) {
      String path = "/api/v1/events?limit=all&format=ndjson&partial=allow&timeout=30s";
      RawAnswer part = askUntilLate(server, path, Duration.ofSeconds(31));
      assertThat(part.isWhole()).isTrue();
      assertThat(part.trailers())
          .containsEntry("hourglass-complete", "false")
          .containsEntry("hourglass-rows-missing", ROW);
      long events = new String(part.body(), StandardCharsets.UTF_8).lines().count();
      assertThat(events).as("those of slices that had been read").isBetween(64L, answersMax * 64L);
      server.awaitOutcome("partial");
    }
  }

  @Test
  void aQueryInTimeIsAnsweredAsWithoutATimeout() {
    answersMax = Integer.MAX_VALUE;
    try (QueryServer server = new QueryServer(stuck, options(60_000))) {
      String path = "/api/v1/events?limit=10&format=ndjson";
      Reply reply = server.get(path + "&timeout=1m");
      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.body()).isEqualTo(server.get(path).body());
      assertThat(server.head(path + "&timeout=1m").status()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ndjson", "json", "ndjson&partial=allow", "json&partial=allow"})
  void aTimeoutAfterTheFirstByteBreaksTheBody(String format) {
    answersMax = 40;
    try (QueryServer server = new QueryServer(stuck, options(60_000), clock)) {
      String path = "/api/v1/events?limit=all&format=" + format;
      RawAnswer broken = askUntilLate(server, path, Duration.ofMinutes(2));
      assertThat(broken.status()).contains(" 200 ");
      assertThat(broken.body()).isNotEmpty();
      assertThat(broken.isWhole()).isFalse();
      server.awaitOutcome("timed_out");
    }
  }

  /**
   * Asks, and lets time pass in steps once the store is stuck. One step may not be enough: the time
   * of an answer whose client takes nothing does not count.
   */
  private RawAnswer askUntilLate(QueryServer server, String path, Duration step) {
    CompletableFuture<RawAnswer> answer =
        CompletableFuture.supplyAsync(() -> RawAnswer.ask(server.port(), path));
    await().until(() -> answered.get() > answersMax);
    await()
        .until(
            () -> {
              now.updateAndGet(time -> time.plus(step));
              return answer.isDone();
            });
    return answer.join();
  }

  @Test
  void aRunningAnswerEndsWithItsKey() {
    answersMax = 40;
    try (QueryServer server = new QueryServer(stuck, options(60_000), clock)) {
      String path = "/api/v1/events?limit=all&format=ndjson";
      CompletableFuture<RawAnswer> answer =
          CompletableFuture.supplyAsync(() -> RawAnswer.ask(server.port(), path, "Types", "large"));
      await().until(() -> answered.get() > answersMax);
      assertThat(server.running()).isEqualTo(1);
      server.endKeys();
      assertThat(answer.join().isWhole()).isFalse();
      server.awaitOutcome("key_ended");
    }
  }

  @Test
  void theTimeOfASlowClientDoesNotCount() throws IOException {
    answersMax = Integer.MAX_VALUE;
    try (QueryServer server = new QueryServer(stuck, options(60_000), clock);
        Socket socket = new Socket()) {
      socket.setReceiveBufferSize(16 << 10);
      socket.connect(new InetSocketAddress("127.0.0.1", server.port()));
      RawAnswer.send(socket, "/api/v1/events?limit=all&format=ndjson");
      InputStream in = socket.getInputStream();
      assertThat(in.read()).isEqualTo('H');
      server.awaitStandstill(answered::get);
      now.set(now.get().plus(Duration.ofMinutes(5)));
      String rest = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(rest).contains("Hourglass-Complete: true").endsWith("\r\n\r\n");
      server.awaitOutcome("ok");
    }
  }
}
