package hourglass.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.query.QueryOptions;
import hourglass.query.http.QueryServer.Reply;
import hourglass.store.CorruptException;
import hourglass.store.CountQuery;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValues;
import hourglass.store.ForwardingStore;
import hourglass.store.OverloadedException;
import hourglass.store.RowCounts;
import hourglass.store.RowEntry;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.UnavailableException;
import hourglass.store.WideColumnStore;
import hourglass.store.testkit.LatentStore;
import hourglass.store.testkit.OracleStore;
import hourglass.testing.Seed;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that cannot be read fail an answer, or are named in it. */
class PartialAnswersTest {
  private static final RowKey A = new RowKey(Fill.HOUR, "a", 0);
  private static final RowKey ODD = new RowKey(Fill.HOUR, "b, \"ü\"|%", 0);
  private static final RowKey C = new RowKey(Fill.HOUR, "c", 0);
  private static final String EVENTS = "/api/v1/events?partial=allow&format=";

  private final LatentStore store = new LatentStore(new OracleStore());
  private final Set<RowKey> silent = new ConcurrentSkipListSet<>();
  private final Map<RowKey, RuntimeException> failing = new ConcurrentHashMap<>();

  /** A store that never answers for some rows. */
  private final WideColumnStore withSilentRows =
      new ForwardingStore() {
        @Override
        protected WideColumnStore delegate() {
          return store;
        }

        @Override
        public CompletionStage<Slice> slice(SliceQuery query) {
          return silent.contains(query.row()) ? new CompletableFuture<>() : store.slice(query);
        }

        @Override
        public CompletionStage<RowCounts> count(CountQuery query) {
          return answer(query.row(), () -> store.count(query));
        }

        @Override
        public CompletionStage<FieldValues> values(FieldQuery query) {
          return answer(query.part().row(), () -> store.values(query));
        }

        private <T> CompletionStage<T> answer(RowKey row, Supplier<CompletionStage<T>> call) {
          if (silent.contains(row)) {
            return new CompletableFuture<>();
          }
          RuntimeException why = failing.get(row);
          return why == null ? call.get() : CompletableFuture.failedFuture(why);
        }
      };

  private final QueryServer server =
      new QueryServer(
          withSilentRows,
          QueryOptions.builder()
              .sliceColumns(7)
              .chunkBytes(1024)
              .chunks(16)
              .storeTimeoutMillis(2_000)
              .concurrentQueries(64)
              .build());

  @BeforeEach
  void fill() {
    for (RowKey row : List.of(A, ODD, C)) {
      Fill.row(store, row, 20, row.type().substring(0, 1));
    }
  }

  @AfterEach
  void close() {
    server.close();
    store.close();
  }

  private void fail(RuntimeException failure, RowKey... rows) {
    failing.clear();
    for (RowKey row : rows) {
      failing.put(row, failure);
    }
    store.setFault(
        query -> {
          RuntimeException why = failing.get(query.row());
          if (why != null) {
            throw why;
          }
          return null;
        });
  }

  private static JsonNode json(Reply reply) {
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    try {
      return new ObjectMapper().readTree(reply.body());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static List<String> payloads(JsonNode answer) {
    List<String> payloads = new ArrayList<>();
    answer
        .get("events")
        .forEach(event -> payloads.add(event.get("data").get("more").asText() + "," + n(event)));
    return payloads;
  }

  private static int n(JsonNode event) {
    return event.get("data").get("n").asInt();
  }

  private static List<String> expected(String... rows) {
    List<String> all = new ArrayList<>();
    for (int n = 0; n < 20; n++) {
      for (String row : rows) {
        all.add(row + "," + n);
      }
    }
    return all;
  }

  static Stream<RuntimeException> failures() {
    return Stream.of(
        new UnavailableException("no node answers"),
        new OverloadedException("busy", Duration.ofSeconds(1)),
        new CorruptException("page 7 is damaged"));
  }

  private static int status(RuntimeException failure) {
    return failure instanceof UnavailableException
        ? 503
        : failure instanceof OverloadedException ? 429 : 500;
  }

  @ParameterizedTest
  @MethodSource("failures")
  void aRowThatFailsIsNamed(RuntimeException failure) {
    fail(failure, ODD);
    assertThat(server.get("/api/v1/events").status()).isEqualTo(status(failure));
    JsonNode answer = json(server.get(EVENTS + "json"));
    assertThat(payloads(answer)).isEqualTo(expected("a", "c"));
    assertThat(answer.get("rows").get("asked").asInt()).isEqualTo(3);
    assertThat(answer.get("rows").get("answered").asInt()).isEqualTo(2);
    assertThat(answer.get("rows").get("missing")).hasSize(1);
    String name = answer.get("rows").get("missing").get(0).asText();
    assertThat(RowKey.parse(name)).isEqualTo(ODD);
    assertThat(answer.get("complete").asBoolean()).isFalse();

    List<String> newestFirst = expected("a", "c");
    Collections.reverse(newestFirst);
    assertThat(payloads(json(server.get(EVENTS + "json&order=desc")))).isEqualTo(newestFirst);
  }

  @Test
  void aRowThatNeverAnswersIsNamed() {
    silent.add(A);
    assertThat(server.get("/api/v1/events").body()).isEqualTo("the store did not answer in time");
    JsonNode answer = json(server.get(EVENTS + "json"));
    assertThat(payloads(answer)).isEqualTo(expected("b", "c"));
    assertThat(answer.get("rows").get("missing").toString()).isEqualTo("[\"20112608|a|0\"]");
  }

  @Test
  void aCompleteAnswerIsMarkedComplete() {
    JsonNode answer = json(server.get(EVENTS + "json"));
    assertThat(payloads(answer)).isEqualTo(expected("a", "b", "c"));
    assertThat(answer.get("rows").toString())
        .isEqualTo("{\"asked\":3,\"answered\":3,\"missing\":[]}");
    assertThat(answer.get("complete").asBoolean()).isTrue();
    assertThat(server.get(EVENTS + "raw").headers()).doesNotContainKey("Hourglass-Rows-Missing");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ndjson", "csv", "raw", "cloudevents"})
  void otherFormatsListMissingRowsInHeadersOrTrailers(String format) {
    fail(new UnavailableException("no node answers"), A, ODD);
    Reply page = server.get(EVENTS + format);
    Reply stream = server.get(EVENTS + format + "&limit=all");
    assertThat(stream.body()).isEqualTo(page.body());
    boolean isLong = stream.headers().containsKey("Trailer");
    assertThat(isLong).isEqualTo(!format.equals("raw"));
    for (var facts : List.of(page.headers(), isLong ? stream.trailers() : stream.headers())) {
      assertThat(facts)
          .containsEntry("Hourglass-Rows-Asked", "3")
          .containsEntry("Hourglass-Rows-Answered", "1")
          .containsEntry("Hourglass-Complete", "false")
          .containsEntry(
              "Hourglass-Rows-Missing", "20112608|a|0, 20112608|b%2C%20\"%C3%BC\"%7C%25|0");
    }
  }

  @Test
  void manyNamesAreCutInAHeaderButNotInJson() {
    List<RowKey> rows = new ArrayList<>();
    for (int shard = 0; shard < 300; shard++) {
      rows.add(new RowKey(Fill.HOUR, "many", shard));
      Fill.row(store, rows.get(shard), 1, "m");
    }
    fail(new UnavailableException("no node answers"), rows.toArray(RowKey[]::new));
    assertThat(json(server.get(EVENTS + "json")).get("rows").get("missing")).hasSize(300);
    Reply page = server.get(EVENTS + "raw");
    assertThat(page.headers())
        .containsEntry("Hourglass-Rows-Asked", "303")
        .containsEntry("Hourglass-Rows-Answered", "3");
    assertThat(page.headers().get("Hourglass-Rows-Missing"))
        .startsWith("20112608|many|0, ")
        .endsWith(", ...")
        .hasSizeLessThan(2500);
  }

  @Test
  void aRowThatFailsMidwayKeepsItsEarlierEvents() {
    store.setFault(
        query -> {
          if (query.row().equals(C) && query.range().from().ticks() > Fill.HOUR.startTicks()) {
            throw new UnavailableException("no node answers");
          }
          return null;
        });
    List<String> got = payloads(json(server.get(EVENTS + "json")));
    long ofC = got.stream().filter(event -> event.startsWith("c")).count();
    assertThat(ofC).isBetween(1L, 19L);
    List<String> expected = expected("a", "b", "c");
    expected.removeIf(
        event -> event.startsWith("c") && Integer.parseInt(event.substring(2)) >= ofC);
    assertThat(got).isEqualTo(expected);
  }

  @Test
  void otherFailuresFailTheAnswer() {
    fail(new IllegalStateException("a fault of ours"), A);
    assertThat(server.get(EVENTS + "json").status()).isEqualTo(500);
    assertThat(RawAnswer.ask(server.port(), EVENTS + "json&limit=all").isWhole())
        .as("an error that is whole itself")
        .isTrue();
  }

  @Test
  void aDirectoryThatCannotBeReadFailsTheAnswer() {
    WideColumnStore blind =
        new ForwardingStore() {
          @Override
          protected WideColumnStore delegate() {
            return store;
          }

          @Override
          public CompletionStage<List<RowEntry>> rows(Hour hour) {
            return CompletableFuture.failedFuture(new UnavailableException("no node answers"));
          }
        };
    try (QueryServer other = new QueryServer(blind, QueryOptions.builder().build())) {
      assertThat(other.get(EVENTS + "json").status())
          .as("nobody knows which rows are missing")
          .isEqualTo(503);
    }
  }

  @Test
  void pagesAfterAPartialOneAreNeverComplete() {
    fail(new UnavailableException("no node answers"), A);
    JsonNode first = json(server.get(EVENTS + "json&limit=10"));
    assertThat(first.get("complete").asBoolean()).isFalse();
    String cursor = first.get("cursor").asText();
    Reply unaware = server.get("/api/v1/events?limit=10&cursor=" + cursor);
    assertThat(unaware.status()).isEqualTo(400);
    assertThat(unaware.body()).contains("rows were missing; want partial=allow");

    failing.clear();
    List<String> walked = payloads(first);
    int pages = 1;
    for (; !cursor.equals("null"); pages++) {
      JsonNode page = json(server.get(EVENTS + "json&limit=10&cursor=" + cursor));
      assertThat(page.get("rows").get("missing")).isEmpty();
      assertThat(page.get("complete").asBoolean()).as("page %s", pages).isFalse();
      walked.addAll(payloads(page));
      cursor = page.get("cursor").asText();
    }
    List<String> expected = expected("a", "b", "c");
    expected.removeIf(event -> event.startsWith("a") && Integer.parseInt(event.substring(2)) < 5);
    assertThat(walked).isEqualTo(expected);
    assertThat(pages).isEqualTo(6);
  }

  @Test
  void aPageThatEndsBeforeItMissesAnythingIsComplete() {
    Hour next = Fill.HOUR.next();
    RowKey later = new RowKey(next, "d", 0);
    Fill.row(store, later, 3, "d");
    fail(new UnavailableException("no node answers"), later);
    Reply page = server.get("/api/v1/events?format=raw&limit=20");
    assertThat(page.status()).isEqualTo(200);
    assertThat(page.headers()).containsEntry("Hourglass-Complete", "true");
    assertThat(server.get("/api/v1/events?format=raw&limit=200").status()).isEqualTo(503);
  }

  @Test
  void anyRowsMayBeMissing() {
    Random random = Seed.random(this);
    List<RowKey> rows = new ArrayList<>(List.of(A, ODD, C));
    for (int i = 0; i < 12; i++) {
      Hour hour = new Hour(Fill.HOUR.epochHours() + i % 4);
      RowKey row = new RowKey(hour, "t" + i, 0);
      rows.add(row);
      Fill.row(store, row, 1 + random.nextInt(30), "t" + i);
    }
    for (int run = 0; run < 30; run++) {
      Collections.shuffle(rows, random);
      TreeSet<RowKey> absent = new TreeSet<>(rows.subList(0, random.nextInt(rows.size())));
      String order = random.nextBoolean() ? "&order=asc" : "&order=desc";
      failing.clear();
      List<String> expected = new ArrayList<>();
      json(server.get(EVENTS + "json&limit=500" + order))
          .get("events")
          .forEach(event -> keep(event, absent, expected));
      fail(new UnavailableException("no node answers"), absent.toArray(RowKey[]::new));
      JsonNode partial = json(server.get(EVENTS + "json&limit=500" + order));
      List<String> got = new ArrayList<>();
      partial.get("events").forEach(event -> got.add(event.toString()));
      assertThat(got).isEqualTo(expected);
      List<String> missing = new ArrayList<>();
      partial.get("rows").get("missing").forEach(row -> missing.add(row.asText()));
      assertThat(missing).isEqualTo(absent.stream().map(RowKey::toString).toList());
      assertThat(partial.get("complete").asBoolean()).isEqualTo(absent.isEmpty());
    }
  }

  private static void keep(JsonNode event, Set<RowKey> failing, List<String> kept) {
    Hour hour = Hour.parse(event.get("time").asText().substring(0, 13));
    if (!failing.contains(new RowKey(hour, event.get("type").asText(), 0))) {
      kept.add(event.toString());
    }
  }

  private static final List<String> COUNTS =
      List.of(
          "hits?hour=2026-11-20T08&step=1h&by=type",
          "hits?hour=2026-11-20T08&step=1h&by=type&contains=n",
          "types?",
          "types?where=data.n+>=+0",
          "stats?field=data.n&by=type",
          "top?field=data.n",
          "hits?hour=2026-11-20T08&step=1h&by=type&groups=3",
          "stats?hour=2026-11-20T08&field=data.n&step=1h&by=type&groups=3",
          "top?field=data.n&by=type",
          "fields?");

  private static String count(String question, String... more) {
    return "/api/v1/" + question + String.join("", more);
  }

  @ParameterizedTest
  @MethodSource("failures")
  void countsOmitAFailingRow(RuntimeException failure) {
    List<JsonNode> whole = COUNTS.stream().map(each -> json(server.get(count(each)))).toList();
    fail(failure, ODD);
    for (int i = 0; i < COUNTS.size(); i++) {
      String question = COUNTS.get(i);
      assertThat(server.get(count(question)).status()).as(question).isEqualTo(status(failure));
      JsonNode partial = json(server.get(count(question, "&partial=allow")));
      assertThat(partial.get("complete").asBoolean()).as(question).isFalse();
      assertThat(partial.get("rows").get("asked").asInt()).isEqualTo(3);
      assertThat(partial.get("rows").get("answered").asInt()).isEqualTo(2);
      assertThat(RowKey.parse(partial.get("rows").get("missing").get(0).asText())).isEqualTo(ODD);
      assertThat(withoutOdd(partial)).as(question).isEqualTo(withoutOdd(whole.get(i)));
      assertThat(partial.path("groups_exact").asBoolean()).as(question).isFalse();
    }
    assertThat(json(server.get(count(COUNTS.get(5), "&partial=allow"))).get("events").asInt())
        .isEqualTo(40);
    server.awaitOutcome("partial");
  }

  private static List<String> withoutOdd(JsonNode answer) {
    JsonNode parts = answer.has("series") ? answer.get("series") : answer.path("types");
    List<String> others = new ArrayList<>();
    for (JsonNode part : parts) {
      if (!part.get("type").asText().equals(ODD.type())) {
        others.add(part.toString());
      }
    }
    return others;
  }

  @Test
  void completeCountsAreUnchangedByPartialAllow() {
    for (String question : COUNTS) {
      JsonNode whole = json(server.get(count(question)));
      assertThat(whole.has("rows")).isFalse();
      ObjectNode allowed = (ObjectNode) json(server.get(count(question, "&partial=allow")));
      assertThat(allowed.remove("rows").toString())
          .isEqualTo("{\"asked\":3,\"answered\":3,\"missing\":[]}");
      assertThat(allowed).as(question).isEqualTo(whole);
    }
  }

  /** Each query waits for the row as long as the store may take; all of them wait at once. */
  @Test
  void countsOmitARowThatNeverAnswers() {
    silent.add(A);
    COUNTS.stream()
        .map(
            question ->
                CompletableFuture.runAsync(
                    () -> goesWithoutA(question), task -> new Thread(task).start()))
        .toList()
        .forEach(CompletableFuture::join);
  }

  private void goesWithoutA(String question) {
    JsonNode partial = json(server.get(count(question, "&partial=allow")));
    assertThat(partial.get("rows").get("missing").toString())
        .as(question)
        .isEqualTo("[\"20112608|a|0\"]");
    assertThat(server.get(count(question)).body())
        .as(question)
        .isEqualTo("the store did not answer in time");
  }

  /** Their names are merged, since one event may be in two of them. */
  @Test
  void countsOmitOneOfSeveralRowsOfAType() {
    RowKey second = new RowKey(Fill.HOUR, "a", 1);
    Fill.row(store, second, 30, "b");
    fail(new UnavailableException("no node answers"), second);
    for (String question : List.of("types?type=a", "types?type=a&contains=n")) {
      JsonNode partial = json(server.get(count(question, "&partial=allow")));
      assertThat(partial.get("types").get(0).get("count").asInt()).as(question).isEqualTo(20);
      assertThat(partial.get("complete").asBoolean()).isFalse();
    }
  }

  @Test
  void otherFailuresFailCounts() {
    fail(new IllegalStateException("a fault of ours"), A);
    for (String question : COUNTS) {
      assertThat(server.get(count(question, "&partial=allow")).status()).isEqualTo(500);
    }
  }
}
