package hourglass.query.loki.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import hourglass.bucketing.TimeUuid;
import hourglass.bucketing.TypeHour;
import hourglass.query.QueryOptions;
import hourglass.query.http.Fill;
import hourglass.query.http.QueryServer;
import hourglass.query.http.QueryServer.Reply;
import hourglass.store.ForwardingStore;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.WideColumnStore;
import hourglass.store.erasure.ErasableStore;
import hourglass.store.erasure.ErasedColumns;
import hourglass.store.erasure.ErasingStore;
import hourglass.store.erasure.Erasure;
import hourglass.store.erasure.ErasureJournal;
import hourglass.store.erasure.ErasureStatus;
import hourglass.store.testkit.OracleStore;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests to delete lines, as clients of Loki send them. */
class LokiDeleteTest {
  private static final String PATH = "/loki/api/v1/delete";
  private static final long START = Fill.HOUR.start().getEpochSecond();

  private final OracleStore engine = new OracleStore();
  private final CompletableFuture<Void> mayRewrite = new CompletableFuture<>();
  private volatile CompletableFuture<Void> mayRead = CompletableFuture.completedFuture(null);
  private volatile CompletableFuture<Void> mayLook = CompletableFuture.completedFuture(null);
  private final List<Long> lookedNanos = new CopyOnWriteArrayList<>();
  private final ErasingStore store = ErasingStore.over(new Slow());
  private QueryServer server;

  /** An engine that reads, and removes bytes, only when the test lets it. */
  private final class Slow extends ForwardingStore implements ErasableStore, ErasureJournal {
    @Override
    protected WideColumnStore delegate() {
      return engine;
    }

    @Override
    public CompletionStage<Slice> slice(SliceQuery query) {
      return mayRead.thenCompose(may -> engine.slice(query));
    }

    @Override
    public ErasureJournal erasures() {
      return this;
    }

    @Override
    public CompletionStage<ErasedColumns> current() {
      return engine.erasures().current();
    }

    @Override
    public CompletionStage<Void> begin(Erasure erasure) {
      return engine.erasures().begin(erasure);
    }

    @Override
    public CompletionStage<Void> rewrite(TimeUuid id) {
      return mayRewrite.thenCompose(may -> engine.erasures().rewrite(id));
    }

    @Override
    public CompletionStage<List<ErasureStatus>> all() {
      lookedNanos.add(System.nanoTime());
      return mayLook.thenCompose(may -> engine.erasures().all());
    }

    @Override
    public CompletionStage<Long> spaceNeeded(Collection<TypeHour> typeHours) {
      return engine.erasures().spaceNeeded(typeHours);
    }
  }

  @BeforeEach
  void start() {
    server = new QueryServer(store, QueryOptions.DEFAULTS);
    Fill.row(store, "app", 10, "secret");
    Fill.row(store, "other", 10, "plain");
  }

  @AfterEach
  void stop() {
    server.close();
    store.close();
  }

  private static String parameters(String query, String... more) {
    return "query="
        + URLEncoder.encode(query, StandardCharsets.UTF_8)
        + "&start="
        + START
        + String.join("", more);
  }

  private JsonNode list() {
    try {
      return new ObjectMapper().readTree(server.get(PATH).body());
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  private String lines() {
    return server
        .get(
            "/loki/api/v1/query_range?"
                + parameters("{service_name=~\".+\"}", "&end=" + (START + 3_600)))
        .body();
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void linesAreHiddenWhenTheAnswerArrives(boolean isForm) {
    String asked = parameters("{service_name=\"app\"} |= \"secret\"", "&end=" + (START + 4));
    Reply reply = isForm ? server.post(PATH, asked) : server.post(PATH + "?" + asked, "");
    assertThat(reply.status()).as(reply.body()).isEqualTo(204);
    assertThat(lines())
        .contains("\\\"n\\\":5,", "plain")
        .doesNotContain("\\\"n\\\":4,\\\"more\\\":\\\"secret");
    JsonNode request = list().get(0);
    assertThat(request.get("status").asText()).isEqualTo("received");
    assertThat(request.get("query").asText()).isEqualTo("{service_name=\"app\"} |= \"secret\"");
    assertThat(request.get("start_time").asDouble()).isEqualTo(START);
    assertThat(request.get("end_time").asDouble()).isEqualTo(START + 4);
    assertThat(server.erasureReports()).hasSize(1);
    assertThat(server.erasureReports().get(0).events()).as("the end is included").isEqualTo(5);
  }

  @Test
  void theTextOfARequestIsForgottenWithItsLines() {
    server.post(PATH, parameters("{service_name=\"app\"}"));
    assertThat(list().get(0).get("query").asText()).isNotEmpty();
    mayRewrite.complete(null);
    await().until(() -> list().get(0).get("status").asText().equals("processed"));
    assertThat(list().get(0).get("query").asText()).isEmpty();
    assertThat(list().get(0).get("start_time").asDouble()).isEqualTo(START);
  }

  @Test
  void onlyTheClientThatAskedSeesTheTextOfItsRequest() {
    server.post(PATH, parameters("{service_name=\"app\"} |= \"secret\""));
    String others = server.get(PATH, "Client", "another").body();
    assertThat(others).contains("\"status\":\"received\"").doesNotContain("secret");
    assertThat(server.get(PATH).body()).contains("secret");
  }

  @Test
  void allRequestsTogetherLookForTheEndOnceASecond() {
    mayLook = new CompletableFuture<>();
    int requests = 8;
    for (int i = 0; i < requests; i++) {
      server.post(PATH, parameters("{service_name=\"app\"} |= `\"n\":" + i + "`"));
    }
    assertThat(server.erasureReports()).hasSize(requests);
    await().until(() -> !lookedNanos.isEmpty());
    long goneOnNanos = System.nanoTime();
    mayLook.complete(null);
    // The second look of any request is due after the first ones of all others.
    await().until(() -> lookedNanos.stream().anyMatch(at -> at - goneOnNanos > 900_000_000L));
    assertThat(lookedNanos).hasSizeLessThan(requests);
  }

  /** The text may be what is to be erased, and lists and logs are kept. */
  @Test
  void theListOfQueriesDoesNotShowTheText() {
    mayRead = new CompletableFuture<>();
    String asked = parameters("{service_name=\"app\"} |= \"secret\"");
    CompletableFuture<Reply> reply =
        CompletableFuture.supplyAsync(() -> server.post(PATH + "?" + asked, ""));
    await().until(() -> queries().contains("\"question\":\"" + PATH + "\""));
    assertThat(queries()).doesNotContain("secret");
    mayRead.complete(null);
    assertThat(reply.join().status()).isEqualTo(204);
  }

  private String queries() {
    return server.get("/api/v1/queries", "Client", "operator").body();
  }

  @Test
  void noRequestCanBeCancelled() {
    server.post(PATH, parameters("{service_name=\"app\"}"));
    String id = list().get(0).get("request_id").asText();
    Reply refused = server.delete(PATH + "?request_id=" + id);
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body()).contains("is not allowed: its lines were hidden");
    assertThat(server.delete(PATH + "?request_id=7").status()).isEqualTo(404);
    assertThat(server.delete(PATH).status()).isEqualTo(404);
  }

  @Test
  void aClientDeletesOnlyTypesThatItMaySee() {
    String asked = parameters("{service_name=~\".+\"}");
    assertThat(server.postJson(PATH + "?" + asked, "", "Types", "other").status()).isEqualTo(204);
    assertThat(lines()).contains("secret").doesNotContain("plain");
  }

  @Test
  void nothingIsDeletedWhereNothingMatches() {
    assertThat(server.post(PATH, parameters("{service_name=\"app\"} |= \"none\"")).status())
        .isEqualTo(204);
    assertThat(list()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "start=1; query: not given",
        "query={app=\"x\"}; start: not given",
        "query={&start=1; parse error",
        "query=rate({app=\"x\"}[1m])&start=1; parse error",
        "query={app=\"x\"}&start=10&end=5; start: \"10\" is after the end",
        "query={app=\"x\"}&start=soon; start: \"soon\" is not a time",
      })
  void wrongRequestsAreRefused(String asked, String message) {
    Reply reply = server.post(PATH, asked);
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.body()).contains(message);
  }
}
