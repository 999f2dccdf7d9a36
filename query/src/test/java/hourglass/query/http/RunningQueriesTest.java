package hourglass.query.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import hourglass.access.RequestId;
import hourglass.query.QueryBounds;
import hourglass.query.QueryOptions;
import hourglass.query.http.QueryServer.Reply;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValues;
import hourglass.store.ForwardingStore;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.WideColumnStore;
import hourglass.store.testkit.OracleStore;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Queries are listed while they run, can be ended, and are logged if they were slow. */
class RunningQueriesTest {
  private static final int COLUMNS = 10_000;
  private static final String QUERIES = "/api/v1/queries";

  private static final OracleStore FILLED = new OracleStore();

  private final AtomicInteger asked = new AtomicInteger();

  /** Later slices are never answered. */
  private volatile int answersMax;

  private final WideColumnStore stuck =
      new ForwardingStore() {
        @Override
        protected WideColumnStore delegate() {
          return FILLED;
        }

        @Override
        public CompletionStage<Slice> slice(SliceQuery query) {
          return asked.incrementAndGet() > answersMax
              ? new CompletableFuture<>()
              : FILLED.slice(query);
        }

        @Override
        public CompletionStage<FieldValues> values(FieldQuery query) {
          asked.incrementAndGet();
          return new CompletableFuture<>();
        }
      };

  private final Logger logger = (Logger) LoggerFactory.getLogger(SlowQueries.LOG);
  private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

  @BeforeAll
  static void fill() {
    Fill.row(FILLED, "large", COLUMNS, "x".repeat(4000));
  }

  @AfterAll
  static void empty() {
    FILLED.close();
  }

  @AfterEach
  void stopLog() {
    logger.detachAppender(logged);
    logger.setLevel(null);
  }

  private QueryServer server() {
    return server(1, 0, 60_000);
  }

  private QueryServer server(int concurrent, long slowMillis, long timeoutMillis) {
    return new QueryServer(
        stuck,
        QueryOptions.builder()
            .sliceColumns(64)
            .concurrentQueries(concurrent)
            .logSlowerThanMillis(slowMillis)
            .bounds(new QueryBounds(100, 1L << 40, timeoutMillis))
            .build());
  }

  private static CompletableFuture<RawAnswer> ask(QueryServer server, String path, String client) {
    return CompletableFuture.supplyAsync(
        () -> RawAnswer.ask(server.port(), path, "Client", client));
  }

  /** The queries that a client sees. */
  private static List<JsonNode> list(QueryServer server, String client) {
    try {
      List<JsonNode> queries = new ArrayList<>();
      new ObjectMapper()
          .readTree(server.get(QUERIES, "Client", client).body())
          .get("queries")
          .forEach(queries::add);
      return queries;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static JsonNode awaitOne(QueryServer server, String client) {
    await().until(() -> list(server, client).size() == 1);
    return list(server, client).get(0);
  }

  @Test
  void aQueryIsListedWithWhatItHasRead() {
    answersMax = 3;
    Instant before = Instant.now();
    try (QueryServer server = server()) {
      CompletableFuture<RawAnswer> answer =
          ask(server, "/api/v1/events?limit=all&where=data.n%20%3E%20-1&type=large", "ada");
      await().until(() -> asked.get() > answersMax);
      JsonNode query = awaitOne(server, "ada");
      assertThat(query.get("client").asText()).isEqualTo("ada");
      assertThat(query.get("question").asText())
          .isEqualTo("/api/v1/events?limit=all&where=data.n > -1&type=large");
      assertThat(query.get("rows").asLong()).isEqualTo(1);
      assertThat(query.get("bytes").asLong()).isBetween(3 * 16 * 4000L, 3 * 64 * 4100L);
      assertThat(Instant.parse(query.get("since").asText())).isBetween(before, Instant.now());
      end(server, query, "ada");
      answer.join();
    }
  }

  private static void end(QueryServer server, JsonNode query, String client) {
    Reply ended = server.delete(QUERIES + "/" + query.get("id").asText(), "Client", client);
    assertThat(ended.status()).as(ended.body()).isEqualTo(204);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/v1/events",
        "/api/v1/events?limit=all&format=csv",
        "/api/v1/types?contains=x",
        "/api/v1/stats?field=data.n&where=data.n%3E5",
        "/loki/api/v1/query_range?query=%7Bservice_name%3D%22large%22%7D&start=1795161600&end=1795165200",
      })
  void theClientOfAnEndedQueryIsTold(String path) {
    try (QueryServer server = server()) {
      CompletableFuture<RawAnswer> answer = ask(server, path, "ada");
      await().until(() -> asked.get() > 0);
      JsonNode query = awaitOne(server, "ada");
      end(server, query, "ada");
      RawAnswer told = answer.join();
      assertThat(told.status()).contains(" 409 ");
      assertThat(told.isWhole()).isTrue();
      assertThat(new String(told.body()))
          .contains("DELETE /api/v1/queries/" + query.get("id").asText() + " has ended this query");
      server.awaitOutcome("killed");
      assertThat(list(server, "ada")).isEmpty();
      await().until(() -> !server.isAtWork());
    }
  }

  @Test
  void aBodyThatHasBegunIsBroken() {
    answersMax = 40;
    try (QueryServer server = server()) {
      CompletableFuture<RawAnswer> answer =
          ask(server, "/api/v1/events?limit=all&format=ndjson", "ada");
      await().until(() -> asked.get() > answersMax);
      end(server, awaitOne(server, "ada"), "ada");
      RawAnswer broken = answer.join();
      assertThat(broken.status()).contains(" 200 ");
      assertThat(broken.isWhole()).isFalse();
      server.awaitOutcome("killed");
    }
  }

  @Test
  void aQueryThatWaitsForAPlaceCanBeEnded() {
    try (QueryServer server = server()) {
      CompletableFuture<RawAnswer> first = ask(server, "/api/v1/events?contains=x", "ada");
      await().until(() -> asked.get() > 0);
      JsonNode running = awaitOne(server, "ada");
      List<CompletableFuture<RawAnswer>> others =
          List.of(
              ask(server, "/api/v1/types?contains=y", "bob"),
              ask(server, "/api/v1/types?contains=z", "bob"));
      await().until(() -> list(server, "bob").size() == 2 && server.waiting() > 0);
      list(server, "bob").forEach(query -> end(server, query, "bob"));
      others.forEach(answer -> assertThat(answer.join().status()).contains(" 409 "));
      assertThat(list(server, "ada")).hasSize(1);
      end(server, running, "operator");
      assertThat(first.join().status()).contains(" 409 ");
    }
  }

  @Test
  void aClientNeitherSeesNorEndsQueriesOfOthers() {
    try (QueryServer server = server()) {
      CompletableFuture<RawAnswer> answer = ask(server, "/api/v1/events", "ada");
      JsonNode query = awaitOne(server, "ada");
      assertThat(list(server, "bob")).isEmpty();
      String path = QUERIES + "/" + query.get("id").asText();
      Reply refused = server.delete(path, "Client", "bob");
      Reply unknown = server.delete(QUERIES + "/no-such", "Client", "bob");
      assertThat(refused.status()).isEqualTo(404).isEqualTo(unknown.status());
      assertThat(refused.body())
          .isEqualTo(unknown.body().replace("no-such", query.get("id").asText()));
      assertThat(answer.isDone()).isFalse();
      assertThat(list(server, "operator")).hasSize(1);
      end(server, query, "operator");
      assertThat(answer.join().status()).contains(" 409 ");
      assertThat(server.delete(path, "Client", "ada").status()).isEqualTo(404);
    }
  }

  @Test
  void aClientEndsItsOwnOfTwoQueriesWithTheSameId() {
    try (QueryServer server = server(4, 0, 60_000)) {
      CompletableFuture<RawAnswer> bobs = named(server, "bob");
      awaitOne(server, "bob");
      CompletableFuture<RawAnswer> adas = named(server, "ada");
      assertThat(awaitOne(server, "ada").get("id").asText()).isEqualTo("same");
      end(server, awaitOne(server, "ada"), "ada");
      assertThat(adas.join().status()).contains(" 409 ");
      assertThat(bobs.isDone()).isFalse();
      assertThat(server.endedForOthers()).isEmpty();
      end(server, awaitOne(server, "bob"), "operator");
      assertThat(bobs.join().status()).contains(" 409 ");
      assertThat(server.endedForOthers()).containsExactly("bob");
    }
  }

  @Test
  void anOperatorNamesTheClientOfAnIdThatSeveralHave() {
    try (QueryServer server = server(4, 0, 60_000)) {
      CompletableFuture<RawAnswer> bobs = named(server, "bob");
      CompletableFuture<RawAnswer> adas = named(server, "ada");
      await().until(() -> list(server, "operator").size() == 2);
      String path = QUERIES + "/same";
      Reply unclear = server.delete(path, "Client", "operator");
      assertThat(unclear.status()).isEqualTo(400);
      assertThat(unclear.body())
          .isEqualTo(
              "client: 2 clients have a query \"same\"; want one of them, as /api/v1/queries lists it");
      assertThat(server.delete(path + "?client=ada", "Client", "bob").status()).isEqualTo(404);
      assertThat(server.delete(path + "?client=ada", "Client", "operator").status()).isEqualTo(204);
      assertThat(adas.join().status()).contains(" 409 ");
      assertThat(bobs.isDone()).isFalse();
      end(server, awaitOne(server, "bob"), "bob");
      assertThat(bobs.join().status()).contains(" 409 ");
    }
  }

  /** Asks a query that its client calls {@code same}, and that is never answered. */
  private static CompletableFuture<RawAnswer> named(QueryServer server, String client) {
    return CompletableFuture.supplyAsync(
        () ->
            RawAnswer.ask(
                server.port(), "/api/v1/events", "Client", client, RequestId.HEADER, "same"));
  }

  @Test
  void aSecretInAQuestionIsHidden() {
    try (QueryServer server = server()) {
      String secret = "hg_0123456789012345678901234567890123456789abc";
      CompletableFuture<RawAnswer> answer =
          ask(server, "/api/v1/events?contains=" + "y".repeat(1950) + secret, "ada");
      JsonNode query = awaitOne(server, "ada");
      assertThat(query.get("question").asText()).endsWith("hg_***");
      end(server, query, "ada");
      answer.join();
    }
  }

  private void startLog() {
    logged.start();
    logger.setLevel(Level.INFO);
    logger.addAppender(logged);
  }

  private static Map<String, Object> values(ILoggingEvent event) {
    return event.getKeyValuePairs().stream()
        .collect(Collectors.toMap(pair -> pair.key, pair -> pair.value));
  }

  @Test
  void aSlowQueryIsLoggedOnceWithItsOutcome() {
    startLog();
    try (QueryServer server = server(4, 2_000, 2_500)) {
      assertThat(server.get("/api/v1/events?type=none", "Client", "bob").status()).isEqualTo(200);
      assertThat(server.get("/api/v1/events?type=large", "Client", "ada").status()).isEqualTo(503);
      await().untilAsserted(() -> assertThat(logged.list).hasSize(1));
      Map<String, Object> values = values(logged.list.get(0));
      assertThat(values)
          .containsEntry("client", "ada")
          .containsEntry("question", "/api/v1/events?type=large")
          .containsEntry("rows", 1L)
          .containsEntry("bytes", 0L)
          .containsEntry("outcome", "timed_out")
          .containsKeys("id", "ms")
          .hasSize(7);
      assertThat((Long) values.get("ms")).isGreaterThanOrEqualTo(2_500);
    }
  }

  @Test
  void aQueryThatWasNeverBegunIsNotLogged() {
    startLog();
    try (QueryServer server = server(1, 100, 60_000)) {
      CompletableFuture<RawAnswer> first = ask(server, "/api/v1/events?contains=x", "ada");
      await().until(() -> asked.get() > 0);
      CompletableFuture<RawAnswer> refused = ask(server, "/api/v1/events?contains=y", "bob");
      assertThat(refused.join().status()).contains(" 429 ");
      assertThat(server.meters.get("hourglass.query").tag("outcome", "too_many").timer().count())
          .isEqualTo(1);
      end(server, awaitOne(server, "ada"), "ada");
      assertThat(first.join().status()).contains(" 409 ");
      await().untilAsserted(() -> assertThat(logged.list).isNotEmpty());
      assertThat(logged.list)
          .extracting(event -> values(event).get("outcome"))
          .containsExactly("killed");
    }
  }

  @Test
  void noQueryIsLoggedIfTheLogIsOff() {
    startLog();
    try (QueryServer server = server(4, 0, 300)) {
      assertThat(server.get("/api/v1/events").status()).isEqualTo(503);
      server.awaitOutcome("timed_out");
      await().until(() -> list(server, "operator").isEmpty());
      assertThat(logged.list).isEmpty();
    }
  }
}
