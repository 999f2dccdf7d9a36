package hourglass.query.erasure.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.query.QueryOptions;
import hourglass.query.erasure.DryRuns;
import hourglass.query.http.Fill;
import hourglass.query.http.QueryServer;
import hourglass.query.http.QueryServer.Reply;
import hourglass.store.ColumnsBuilder;
import hourglass.store.ForwardingStore;
import hourglass.store.Mutation;
import hourglass.store.OverloadedException;
import hourglass.store.UnavailableException;
import hourglass.store.WideColumnStore;
import hourglass.store.erasure.ErasableStore;
import hourglass.store.erasure.ErasingStore;
import hourglass.store.erasure.ErasureJournal;
import hourglass.store.testkit.OracleStore;
import hourglass.store.testkit.TestClock;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code /api/v1/erasures} answers, and what all other answers contain after it. */
class ErasureHttpTest {
  private static final String PATH = "/api/v1/erasures";
  private static final String RANGE = "\"from\":\"2026-11-20T08\",\"to\":\"2026-11-20T09\"";
  private static final String ADA = "{" + RANGE + ",\"where\":\"data.user == 'ada'\"}";
  private static final String[] AUTH = {"Types", "auth"};
  private static final String EVENTS = "/api/v1/events?limit=all&hour=2026-11-20T08";

  private final TestClock clock = new TestClock(Fill.HOUR.end());
  private final OracleStore engine = new OracleStore(clock, Duration.ofSeconds(2));
  private final List<String> missing = new ArrayList<>();
  private final FailingJournal journal = new FailingJournal(engine.erasures());
  private final ErasingStore store = ErasingStore.over(new Lacking());
  private QueryServer server;

  /** The engine, but with parts that are missing. */
  private final class Lacking extends ForwardingStore implements ErasableStore {
    @Override
    protected WideColumnStore delegate() {
      return engine;
    }

    @Override
    public ErasureJournal erasures() {
      return journal;
    }

    @Override
    public List<String> missing(Hour from, Hour to, Predicate<String> wanted) {
      return missing;
    }
  }

  @BeforeEach
  void start() {
    server = new QueryServer(store, QueryOptions.DEFAULTS, clock);
    write("shop", 0, 0, "ada", "bob", "ada", "eve");
    write("auth", 0, 10, "bob", "ada");
  }

  @AfterEach
  void stop() {
    server.close();
    store.close();
  }

  /** Writes an event for each user, a second apart. */
  private void write(String type, int shard, int second, String... users) {
    ColumnsBuilder columns = new ColumnsBuilder(users.length, 100);
    for (int i = 0; i < users.length; i++) {
      byte[] payload =
          "{\"user\":\"%s\",\"app\":\"w\",\"n\":%d}"
              .formatted(users[i], second + i)
              .getBytes(StandardCharsets.UTF_8);
      TimeUuid name = name(second + i);
      columns.add(name.ticks(), name.lsb(), payload, 0, payload.length);
    }
    RowKey row = new RowKey(Fill.HOUR, type, shard);
    store.write(List.of(new Mutation(row, columns.build()))).toCompletableFuture().join();
  }

  private static TimeUuid name(int second) {
    return TimeUuid.first(Fill.HOUR.startTicks() + second * 10_000_000L);
  }

  private static JsonNode json(Reply reply) {
    try {
      return new ObjectMapper().readTree(reply.body());
    } catch (JsonProcessingException e) {
      throw new AssertionError(reply.body(), e);
    }
  }

  private JsonNode dryRun(String body) {
    Reply reply = server.postJson(PATH, body);
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    return json(reply);
  }

  private Reply withToken(JsonNode dryRun, String... headers) {
    return server.postJson(PATH, "{\"token\":" + dryRun.get("token") + "}", headers);
  }

  private JsonNode erase(String body) {
    Reply reply = withToken(dryRun(body));
    assertThat(reply.status()).as(reply.body()).isEqualTo(202);
    return json(reply);
  }

  private void awaitDone(JsonNode erased) {
    String path = PATH + "/" + erased.get("id").asText();
    await().until(() -> json(server.get(path)).get("state").asText().equals("done"));
  }

  @Test
  void aDryRunStatesWhatWouldBeErasedAndErasesNothing() {
    JsonNode answer = dryRun(ADA);
    assertThat(answer.get("events").asLong()).isEqualTo(3);
    assertThat(answer.get("bytes").asLong()).isEqualTo(3 * 30 + 1);
    assertThat(answer.get("first").asText()).isEqualTo("2026-11-20T08:00:00.0000000Z");
    assertThat(answer.get("last").asText()).isEqualTo("2026-11-20T08:00:11.0000000Z");
    assertThat(answer.get("hours").asInt()).isEqualTo(1);
    assertThat(answer.get("complete").asBoolean()).isTrue();
    assertThat(answer.get("samples")).hasSize(3);
    assertThat(answer.get("samples").get(0).get("data").get("user").asText()).isEqualTo("ada");
    assertThat(answer.get("token").asText()).hasSize(32);
    assertThat(json(server.get(EVENTS)).get("events")).hasSize(6);
    assertThat(json(server.get(PATH)).get("erasures")).isEmpty();
  }

  @Test
  void erasedEventsAreInNoAnswer() {
    String id = name(0).toString();
    assertThat(server.get("/api/v1/events/" + id).body()).contains("ada");
    JsonNode erased = erase(ADA);
    assertThat(erased.get("events").asLong()).isEqualTo(3);
    assertThat(erased.get("since_dry_run").asLong()).isZero();
    assertNowhere();
    awaitDone(erased);
    assertNowhere();
    assertThat(server.get("/api/v1/events/" + id).status()).isEqualTo(404);
  }

  private void assertNowhere() {
    String hour = "?hour=2026-11-20T08";
    for (String path :
        List.of(
            EVENTS,
            "/api/v1/events" + hour + "&format=csv",
            "/api/v1/top" + hour + "&field=user",
            "/api/v1/fields" + hour + "&sample=1",
            "/api/v1/stats" + hour + "&field=user&by=user",
            "/api/v1/hits" + hour + "&step=1m&by=user",
            "/loki/api/v1/detected_field/user/values?query={service_name=~\".%2B\"}" + loki(),
            "/loki/api/v1/query_range?query={service_name=~\".%2B\"}" + loki())) {
      Reply reply = server.get(path);
      assertThat(reply.status()).as(path + reply.body()).isEqualTo(200);
      assertThat(reply.body()).as(path).doesNotContain("ada").contains("bob");
    }
    assertThat(json(server.get("/api/v1/types" + hour)).toString())
        .contains("\"type\":\"auth\",\"count\":1")
        .contains("\"type\":\"shop\",\"count\":2");
  }

  private static String loki() {
    long from = Fill.HOUR.start().getEpochSecond();
    return "&start=" + from + "&end=" + (from + 3_600);
  }

  @Test
  void aRepeatOfAnErasedEventDoesNotBringItBack() {
    awaitDone(erase(ADA));
    write("shop", 0, 0, "ada", "bob", "ada", "eve");
    write("shop", 3, 2, "ada");
    assertThat(server.get(EVENTS).body()).doesNotContain("ada");
    assertThat(store.repeats()).isEqualTo(3);
  }

  @Test
  void fieldsAreBlankedAndTheirEventsStay() {
    String body = ADA.replace("}", ",\"fields\":[\"data.user\",\"app\"]}");
    JsonNode erased = erase(body);
    assertThat(erased.get("events").asLong()).isEqualTo(3);
    for (int i = 0; i < 2; i++) {
      JsonNode events = json(server.get(EVENTS)).get("events");
      assertThat(events).hasSize(6);
      assertThat(events.get(0).get("data").toString())
          .isEqualTo("{\"user\":null,\"app\":null,\"n\":0}");
      assertThat(events.toString()).doesNotContain("ada").contains("bob");
      awaitDone(erased);
    }
    String all = "{" + RANGE + ",\"where\":\"true\",\"fields\":[\"user\"]}";
    assertThat(dryRun(all).get("events").asLong()).as("those that change").isEqualTo(3);
  }

  @Test
  void eventsThatCameAfterTheDryRunAreErasedAndCounted() {
    JsonNode dryRun = dryRun(ADA);
    write("shop", 0, 20, "ada", "ada", "bob");
    JsonNode erased = json(withToken(dryRun));
    assertThat(erased.get("events").asLong()).isEqualTo(5);
    assertThat(erased.get("since_dry_run").asLong()).isEqualTo(2);
    assertThat(server.get(EVENTS).body()).doesNotContain("ada");
  }

  @Test
  void anEventInSeveralShardsIsErasedFromEach() {
    write("shop", 1, 2, "ada");
    JsonNode erased = erase(ADA);
    assertThat(erased.get("events").asLong()).isEqualTo(3);
    assertThat(server.get(EVENTS).body()).doesNotContain("ada");
    awaitDone(erased);
    assertThat(server.get(EVENTS).body()).doesNotContain("ada");
  }

  @Test
  void idsSelectEventsOfAnyHour() {
    String ids = "\"ids\":[\"" + name(0) + "\",\"" + name(2) + "\",\"" + name(9_000) + "\"]";
    assertThat(dryRun("{" + ids + "}").get("events").asLong()).isEqualTo(2);
    assertThat(dryRun("{\"types\":[\"auth\"]," + ids + "}").get("events").asLong()).isZero();
    erase("{\"types\":[\"shop\"]," + ids + "}");
    assertThat(json(server.get(EVENTS)).get("events")).hasSize(4);
  }

  @ParameterizedTest
  @CsvSource({
    "'\"contains\":\"\\\"ADA\\\"\",\"icase\":true', 3",
    "'\"contains\":\"\\\"ADA\\\"\"', 0",
    "'\"word\":\"Ada\"', 3",
    "'\"where\":\"data.n >= 10\"', 2",
    "'\"where\":\"true\",\"types\":[\"auth\",\"absent\"]', 2",
  })
  void conditionsAreThoseOfQueries(String condition, int events) {
    assertThat(dryRun("{" + RANGE + "," + condition + "}").get("events").asLong())
        .isEqualTo(events);
  }

  @Test
  void nothingToEraseIsNoErasure() {
    JsonNode dryRun = dryRun(ADA.replace("ada", "nobody"));
    assertThat(dryRun.get("events").asLong()).isZero();
    assertThat(dryRun.get("first").isNull()).isTrue();
    Reply erased = withToken(dryRun);
    assertThat(erased.status()).isEqualTo(200);
    assertThat(json(erased).get("id").isNull()).isTrue();
    assertThat(json(server.get(PATH)).get("erasures")).isEmpty();
  }

  @Test
  void aTokenErasesOnceForTheClientThatAskedForIt() {
    JsonNode dryRun = dryRun(ADA);
    assertThat(withToken(dryRun, "Client", "another").status()).isEqualTo(404);
    Reply erased = withToken(dryRun);
    assertThat(erased.status()).isEqualTo(202);
    Reply again = withToken(dryRun);
    assertThat(again.status()).isEqualTo(409);
    assertThat(again.body()).contains("used", json(erased).get("id").asText());
    JsonNode late = dryRun(ADA);
    clock.pass(DryRuns.VALID);
    Reply expired = withToken(late);
    assertThat(expired.status()).isEqualTo(410);
    assertThat(expired.body()).contains("expired after 10 minutes");
  }

  /** They may name files of rows of any type. */
  @Test
  void failuresAndHoldsAreForKeysOfAllTypes() {
    journal.failure = "a page of shop is damaged";
    journal.holds = List.of("a backup of shop", "another backup of shop");
    JsonNode erased = json(withToken(json(server.postJson(PATH, ADA, AUTH)), AUTH));
    String hidden = "\"holds\":[\"shown to keys of all types only\"]";
    assertThat(erased.toString()).contains(hidden).doesNotContain("shop");
    for (String path : List.of(PATH, PATH + "/" + erased.get("id").asText())) {
      assertThat(server.get(path, AUTH).body())
          .contains(hidden, "\"failure\":\"shown to keys")
          .doesNotContain("shop");
      assertThat(server.get(path).body()).contains("a page of shop is", "another backup of shop");
    }
  }

  /** On Cassandra, the commit may be written and the look after it fail. */
  @Test
  void anErasureThatMayHaveBegunIsNotReportedAsNotBegun() {
    JsonNode dryRun = dryRun(ADA);
    journal.afterBegin = CompletableFuture.failedFuture(new UnavailableException("a node is down"));
    Reply uncertain = withToken(dryRun);
    assertThat(uncertain.status()).isEqualTo(503);
    String id = json(server.get(PATH)).get("erasures").get(0).get("id").asText();
    assertThat(uncertain.body()).contains("may have begun (a node is down)", id);
    journal.afterBegin = FailingJournal.DONE;
    Reply again = withToken(dryRun);
    assertThat(again.status()).isEqualTo(409);
    assertThat(again.body()).contains("used for the erasure " + id);
  }

  @Test
  void anErasureThatTheStoreHasNoRoomForGivesTheTokenBack() {
    JsonNode dryRun = dryRun(ADA);
    journal.beforeBegin =
        CompletableFuture.failedFuture(
            new OverloadedException("too many to remember", Duration.ofSeconds(9)));
    Reply refused = withToken(dryRun);
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.headers()).containsEntry("Retry-After", "9");
    journal.beforeBegin = FailingJournal.DONE;
    assertThat(withToken(dryRun).status()).isEqualTo(202);
  }

  @Test
  void aClientThatIsGoneBeforeTheAnswerFindsTheErasureByItsToken() throws IOException {
    JsonNode dryRun = dryRun(ADA);
    CompletableFuture<Void> begun = new CompletableFuture<>();
    journal.afterBegin = begun;
    String body = "{\"token\":" + dryRun.get("token") + "}";
    try (Socket client = new Socket("127.0.0.1", server.port())) {
      String head = "POST " + PATH + " HTTP/1.1\r\nHost: x\r\nContent-Length: ";
      client
          .getOutputStream()
          .write((head + body.length() + "\r\n\r\n" + body).getBytes(StandardCharsets.UTF_8));
      await().until(() -> json(server.get(PATH)).get("erasures").size() == 1);
    }
    server.awaitOutcome("cancelled");
    begun.complete(null);
    String id = json(server.get(PATH)).get("erasures").get(0).get("id").asText();
    Reply again = withToken(dryRun);
    assertThat(again.status()).isEqualTo(409);
    assertThat(again.body()).contains(id);
    assertThat(server.get(EVENTS).body()).doesNotContain("ada");
  }

  @Test
  void aClientErasesOnlyTypesThatItMaySee() {
    Reply dryRun = server.postJson(PATH, ADA, "Types", "auth");
    assertThat(json(dryRun).get("events").asLong()).isEqualTo(1);
    assertThat(dryRun.body()).doesNotContain("shop");
    assertThat(withToken(json(dryRun), "Types", "auth").status()).isEqualTo(202);
    JsonNode events = json(server.get(EVENTS)).get("events");
    assertThat(events).hasSize(5);
    assertThat(events.toString()).contains("ada");
  }

  @Test
  void missingPartsAreNamedAndNothingIsErased() {
    missing.add("2026-11-20T08, shop");
    JsonNode dryRun = dryRun(ADA);
    assertThat(dryRun.get("complete").asBoolean()).isFalse();
    assertThat(dryRun.get("missing").get(0).asText()).isEqualTo("2026-11-20T08, shop");
    Reply refused = withToken(dryRun);
    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.body()).contains("nothing was erased", "2026-11-20T08, shop");
    missing.clear();
    assertThat(withToken(dryRun).status()).as("its token is not lost").isEqualTo(202);
  }

  @Test
  void reportsNameWhatWasErasedButNotTheTextThatWasSought() {
    erase(ADA.replace("}", ",\"reason\":\"ticket 7\"}"));
    assertThat(server.erasureReports())
        .extracting(ErasureReport::step)
        .containsExactly("dry run", "erase");
    ErasureReport report = server.erasureReports().get(1);
    assertThat(report.events()).isEqualTo(3);
    assertThat(report.types()).containsExactly("auth", "shop");
    assertThat(report.from()).isEqualTo("2026-11-20T08:00:00.0000000Z");
    assertThat(report.reason()).isEqualTo("ticket 7");
    assertThat(report.toString()).doesNotContain("ada");
    assertThat(report.id())
        .hasToString(json(server.get(PATH)).get("erasures").get(0).get("id").asText());
  }

  @Test
  void unknownErasuresAreNotFound() {
    assertThat(server.get(PATH + "/" + name(0)).status()).isEqualTo(404);
    Reply refused = server.get(PATH + "/7");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body()).startsWith("id: \"7\" is not the id");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[1]                                             | body: no JSON object",
        "{\"where\":                                     | body: no JSON",
        "{RANGE,\"where\":\"true\"} {}                   | body: more than one",
        "{RANGE,\"where\":\"true\",\"limit\":1}          | limit: there is no such member",
        "{RANGE,\"where\":\"true\",\"where\":\"false\"}  | where: given twice",
        "{RANGE}                                         | where: not given",
        "{RANGE,\"where\":\"true\",\"contains\":\"a\"}   | where, contains: want exactly one of",
        "{RANGE,\"where\":\"true\",\"icase\":true}       | icase: given without contains",
        "{RANGE,\"contains\":\"a\",\"icase\":1}          | icase: want true or false",
        "{RANGE,\"where\":\"\"}                          | where: want a text of at least one",
        "{RANGE,\"where\":7}                             | where: want a text",
        "{RANGE,\"where\":\"data.\"}                     | where: \"data.\"",
        "{\"from\":\"2026-11-20T08\",\"where\":\"true\"} | to: not given; want a time such as",
        "{\"to\":\"2026-11-20T08\",\"where\":\"true\"}   | from: not given; want a time such as",
        "{\"from\":\"x\",\"to\":\"y\",\"where\":\"true\"}| from: \"x\" is not a time",
        "{\"from\":\"2026-11-20T08\",\"to\":\"2026-11-20T08\",\"where\":\"true\"}| from: \"2026-11-20T08\" is not before",
        "{RANGE,\"where\":\"true\",\"types\":\"shop\"}   | types: want an array",
        "{RANGE,\"where\":\"true\",\"types\":[]}         | types: want an array of at least one",
        "{RANGE,\"where\":\"true\",\"types\":[\"a\",1]}  | types: want an array",
        "{RANGE,\"where\":\"true\",\"types\":[\"\"]}     | types: \"\" is not an event type",
        "{RANGE,\"where\":\"true\",\"fields\":[\"data\"]}| fields: \"data\" is not a path",
        "{\"ids\":[\"7\"]}                               | ids: \"7\" is not the id",
        "{RANGE,\"ids\":[\"13814000-1dd2-11b2-8000-000000000000\"]}| is of a time out of the range",
        "{\"token\":\"x\",\"reason\":\"y\"}              | token: given with other members",
      })
  void wrongBodiesAreRefusedByTheNameOfTheMember(String body, String message) {
    Reply reply = server.postJson(PATH, body.replace("RANGE", RANGE));
    assertThat(reply.status()).as(reply.body()).isEqualTo(400);
    assertThat(reply.body()).contains(message);
    assertThat(server.erasureReports()).isEmpty();
  }

  @Test
  void aTokenThatNobodyGaveIsUnknown() {
    assertThat(server.postJson(PATH, "{\"token\":\"0\"}").status()).isEqualTo(404);
  }
}
