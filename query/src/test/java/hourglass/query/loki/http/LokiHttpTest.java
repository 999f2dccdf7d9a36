package hourglass.query.loki.http;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.query.QueryOptions;
import hourglass.query.http.QueryServer;
import hourglass.query.loki.RandomLogs;
import hourglass.store.ColumnsBuilder;
import hourglass.store.DroppedHours;
import hourglass.store.ForwardingStore;
import hourglass.store.Mutation;
import hourglass.store.WideColumnStore;
import hourglass.store.testkit.OracleStore;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The requests of logcli, loki-canary and Grafana, as they were captured, and their answers. */
class LokiHttpTest {
  /** Largest query that fits into a request line when it is encoded. */
  private static final int CHARS_MAX = 2_000;

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String ALL = "start=1763625600000000000&end=1763629200000000000";

  private static final OracleStore STORE = new OracleStore();
  private static final QueryServer SERVER = new QueryServer(STORE, QueryOptions.builder().build());

  @BeforeAll
  static void fill() {
    String labels = ",\"labels\":{\"app\":\"c\",\"env\":\"p\",\"level\":\"info\"}";
    write("c", 0, "{\"message\":\"hello \\\"1\\\"\"" + labels + "}");
    write("c", 60, "{\"message\":\"level=info dur=12ms hello\"" + labels + "}");
    write("c", 61, "{\"message\":\"bye\"" + labels + ",\"metadata\":{\"trace\":\"t1\"}}");
    write("checkout", 62, "{\"level\":\"error\",\"ms\":40,\"http\":{\"host\":\"x.org\"}}");
    write("checkout", 3599, "{\"level\":\"info\",\"ms\":20}");
  }

  private static void write(String type, int second, String payload) {
    long ticks = Ticks.of(Instant.ofEpochSecond(1_763_625_600 + second));
    TimeUuid name = TimeUuid.first(ticks);
    byte[] bytes = payload.getBytes(StandardCharsets.UTF_8);
    ColumnsBuilder out = new ColumnsBuilder(1, bytes.length);
    out.add(name.ticks(), name.lsb(), bytes, 0, bytes.length);
    RowKey row = new RowKey(name.hour(), type, 0);
    STORE.write(List.of(new Mutation(row, out.build()))).toCompletableFuture().join();
  }

  @AfterAll
  static void close() {
    SERVER.close();
    STORE.close();
  }

  private static String url(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** GET, POST and, without its body, HEAD have one answer, which is returned. */
  private static String ask(String path, String parameters) {
    QueryServer.Reply get = SERVER.get("/loki/api/v1/" + path + "?" + parameters);
    QueryServer.Reply post = SERVER.post("/loki/api/v1/" + path, parameters);
    assertThat(get.status()).as(path + "\n" + get.body()).isEqualTo(200);
    assertThat(get.headers()).containsEntry("Content-Type", "application/json");
    assertThat(post.body()).isEqualTo(get.body());
    QueryServer.Reply head = SERVER.head("/loki/api/v1/" + path + "?" + parameters);
    assertThat(head.status()).as("HEAD " + path).isEqualTo(200);
    assertThat(head.headers()).containsEntry("Content-Type", "application/json");
    assertThat(head.body()).isEmpty();
    return get.body();
  }

  @Test
  void labelNamesAndValuesAreListed() {
    assertThat(ask("labels", ALL))
        .isEqualTo(
            "{\"status\":\"success\",\"data\":[\"app\",\"env\",\"http_host\",\"level\",\"service_name\"]}");
    String ofOne = ALL + "&query=" + url("{service_name=\"checkout\"}");
    assertThat(ask("labels", ofOne))
        .isEqualTo("{\"status\":\"success\",\"data\":[\"http_host\",\"level\",\"service_name\"]}");
    assertThat(ask("label/level/values", ALL))
        .isEqualTo("{\"status\":\"success\",\"data\":[\"error\",\"info\"]}");
    assertThat(ask("label/service_name/values", ALL))
        .isEqualTo("{\"status\":\"success\",\"data\":[\"c\",\"checkout\"]}");
    assertThat(ask("label/http_host/values", ALL))
        .isEqualTo("{\"status\":\"success\",\"data\":[\"x.org\"]}");
    assertThat(ask("label/service_name/values", ALL + "&query=" + url("{level=\"error\"}")))
        .isEqualTo("{\"status\":\"success\",\"data\":[\"checkout\"]}");
    assertThat(ask("label/nope/values", ALL)).isEqualTo("{\"status\":\"success\"}");
    assertThat(ask("detected_labels", ALL))
        .isEqualTo(
            "{\"detectedLabels\":[{\"label\":\"app\",\"cardinality\":1},{\"label\":\"env\",\"cardinality\":1},"
                + "{\"label\":\"http_host\",\"cardinality\":1},{\"label\":\"level\",\"cardinality\":2},"
                + "{\"label\":\"service_name\",\"cardinality\":2}]}");
  }

  @ParameterizedTest
  @CsvSource({"match[]", "match"})
  void streamsAreListedAsSeries(String parameter) {
    assertThat(ask("series", ALL + "&" + url(parameter) + "=" + url("{app=\"c\"}")))
        .isEqualTo(
            "{\"status\":\"success\",\"data\":[{\"app\":\"c\",\"env\":\"p\",\"level\":\"info\",\"service_name\":\"c\"}]}");
    assertThat(ask("series", ALL + "&" + url(parameter) + "=" + url("{app=\"d\"}")))
        .isEqualTo("{\"status\":\"success\",\"data\":[]}");
  }

  @Test
  void logcliReadsLines() {
    String query = "&query=" + url("{app=~\".+\"}|=\"hello\"") + "&limit=30&direction=";
    String stream =
        "{\"stream\":{\"app\":\"c\",\"detected_level\":\"info\",\"env\":\"p\",\"level\":\"info\",\"service_name\":\"c\"},\"values\":[";
    String first = "[\"1763625600000000000\",\"hello \\\"1\\\"\"]";
    String second = "[\"1763625660000000000\",\"level=info dur=12ms hello\"]";
    String before =
        "{\"status\":\"success\",\"data\":{\"resultType\":\"streams\",\"result\":[" + stream;
    String after = "]}],\"stats\":{}}}";
    assertThat(ask("query_range", ALL + query + "FORWARD"))
        .isEqualTo(before + first + "," + second + after);
    assertThat(ask("query_range", ALL + query + "BACKWARD"))
        .isEqualTo(before + second + "," + first + after);
    assertThat(ask("query_range", ALL + "&limit=1&query=" + url("{app=\"c\"} |= \"hello\"")))
        .isEqualTo(before + second + after);
    assertThat(ask("query_range", ALL + "&query=" + url("{app=\"none\"}")))
        .contains("\"result\":[]");
  }

  @Test
  void grafanaReadsLinesWithCategorizedLabels() {
    QueryServer.Reply reply =
        SERVER.get(
            "/loki/api/v1/query_range?" + ALL + "&query=" + url("{app=\"c\"} |= \"bye\" | logfmt"),
            "X-Loki-Response-Encoding-Flags",
            "categorize-labels");
    assertThat(reply.body())
        .isEqualTo(
            "{\"status\":\"success\",\"data\":{\"resultType\":\"streams\",\"encodingFlags\":[\"categorize-labels\"],"
                + "\"result\":[{\"stream\":{\"app\":\"c\",\"env\":\"p\",\"level\":\"info\",\"service_name\":\"c\"},"
                + "\"values\":[[\"1763625661000000000\",\"bye\",{\"structuredMetadata\":{\"detected_level\":\"info\",\"trace\":\"t1\"}}]]}],\"stats\":{}}}");
  }

  @Test
  void grafanaCountsByLevel() {
    String query = "sum by (level, detected_level) (count_over_time({service_name=~\".+\"}[1m]))";
    String times = "&step=60s&start=1763625600000000000&end=1763625720000000000";
    assertThat(ask("query_range", "query=" + url(query) + times))
        .isEqualTo(
            "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":["
                + "{\"metric\":{\"detected_level\":\"error\",\"level\":\"error\"},\"values\":[[1763625720,\"1\"]]},"
                + "{\"metric\":{\"detected_level\":\"info\",\"level\":\"info\"},\"values\":[[1763625600,\"1\"],[1763625660,\"1\"],[1763625720,\"1\"]]}"
                + "],\"stats\":{}}}");
  }

  @Test
  void canaryCountsItsLines() {
    String query = "query=" + url("count_over_time({app=\"c\"} != \"bye\"[6s])");
    assertThat(ask("query", query + "&time=1763625661451000000"))
        .isEqualTo(
            "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[{\"metric\":"
                + "{\"app\":\"c\",\"detected_level\":\"info\",\"env\":\"p\",\"level\":\"info\",\"service_name\":\"c\"},"
                + "\"value\":[1763625661.451,\"1\"]}],\"stats\":{}}}");
  }

  @Test
  void grafanaChecksItsSource() {
    assertThat(ask("query", "query=" + url("vector(1)+vector(1)") + "&time=4000000000"))
        .contains("\"result\":[{\"metric\":{},\"value\":[4000000000,\"2\"]}]");
    assertThat(ask("status/buildinfo", "")).contains("\"version\":\"3.0.0\"");
    assertThat(ask("format_query", "query=" + url("{app=\"c\"}|=\"x\"")))
        .isEqualTo("{\"status\":\"success\",\"data\":\"{app=\\\"c\\\"} |= \\\"x\\\"\"}");
    assertThat(ask("patterns", ALL + "&query=x")).isEqualTo("{\"status\":\"success\",\"data\":[]}");
  }

  @Test
  void sizesAreReportedByType() throws IOException {
    String query = ALL + "&query=" + url("{service_name=\"checkout\"}");
    long bytes = 49 + 24;
    assertThat(ask("index/stats", query))
        .isEqualTo("{\"streams\":1,\"chunks\":1,\"bytes\":" + bytes + ",\"entries\":2}");
    assertThat(JSON.readTree(ask("index/volume", query)).at("/data/result").toString())
        .isEqualTo(
            "[{\"metric\":{\"service_name\":\"checkout\"},\"value\":[1763629200,\""
                + bytes
                + "\"]}]");
    JsonNode steps = JSON.readTree(ask("index/volume_range", query + "&step=1800")).at("/data");
    assertThat(steps.get("resultType").asText()).isEqualTo("matrix");
    assertThat(steps.at("/result/0/values").toString())
        .isEqualTo("[[1763625600,\"36\"],[1763627400,\"36\"]]");
  }

  @Test
  void sizesExcludeEventsAfterTheRange() throws IOException {
    String query = "&step=1800&query=" + url("{service_name=\"checkout\"}");
    String range = "start=1763625662000000000&end=1763629199000000000"; // the last event is there
    assertThat(JSON.readTree(ask("index/volume_range", range + query)).at("/data/result/0/values"))
        .hasToString("[[1763625662,\"49\"]]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " ==> ",
      value = {
        "query={level=\"none\"} |= \"nothing\" ==> so level=\"none\" and |= \"nothing\" is not supported",
        "query={service_name=\"c\"} | json ==> so | json is not supported",
        "targetLabels=level ==> targetLabels: \"level\" is not service_name",
        "aggregateBy=labels ==> aggregateBy: \"labels\" is not series",
      })
  void sizesOfOtherLinesAreRefused(String parameter, String refusal) {
    String[] parts = parameter.split("=", 2);
    for (String path : List.of("index/volume", "index/volume_range")) {
      QueryServer.Reply reply =
          SERVER.get("/loki/api/v1/" + path + "?" + ALL + "&" + parts[0] + "=" + url(parts[1]));
      assertThat(reply.status()).isEqualTo(400);
      assertThat(reply.body()).contains(refusal);
    }
    String known = ALL + "&targetLabels=service_name&aggregateBy=series";
    assertThat(ask("index/volume", known)).contains("\"checkout\"");
  }

  @Test
  void countsAreGroupedByTheRemainingLabels() {
    String dropped = "sum by (service_name) (count_over_time({service_name=~\".+\"} | %s [1h]))";
    for (String stage : List.of("drop service_name", "keep level")) {
      assertThat(ask("query", "time=1763629200&query=" + url(dropped.formatted(stage))))
          .contains("\"result\":[{\"metric\":{},\"value\":[1763629200,\"4\"]}]");
    }
  }

  @Test
  void aMatcherMayContainManyValues() {
    String others = IntStream.range(0, 90).mapToObj(i -> "service-" + i).collect(joining("|"));
    for (String regex :
        List.of("checkout|" + others, others + "|check\\\\.out|checkout", "\\\\Qcheckout")) {
      String query = "query=" + url("{service_name=~\"" + regex + "\", level!~\"a|info\"}");
      assertThat(ask("query_range", ALL + "&" + query))
          .contains("\\\"ms\\\":40")
          .doesNotContain(":20}");
    }
    String many = "{service_name=~\"\\\\pL{100}\"}"; // an expression counts once
    assertThat(ask("query_range", ALL + "&query=" + url(many))).contains("\"result\":[]");
  }

  @Test
  void theDetectedLevelIsTheLevel() {
    String lines = "query=" + url("{service_name=~\".+\"} | detected_level=\"error\"");
    assertThat(ask("query_range", ALL + "&" + lines)).contains("\\\"ms\\\":40");
    assertThat(ask("query_range", ALL + "&query=" + url("{detected_level=\"error\"}")))
        .contains("\\\"ms\\\":40");
    assertThat(ask("label/detected_level/values", ALL))
        .isEqualTo("{\"status\":\"success\",\"data\":[\"error\",\"info\"]}");
    String maximum = "max by (detected_level) (count_over_time({level=\"error\"}[1h]))";
    assertThat(ask("query", "time=1763629200&query=" + url(maximum)))
        .contains("{\"metric\":{\"detected_level\":\"error\"},");
  }

  @ParameterizedTest
  @CsvSource({"1m,3", "63.5,2", "1ms,5", "0,5", "2h,1"})
  void intervalKeepsOneLinePerInterval(String interval, int lines) {
    String query = "&interval=" + interval + "&query=" + url("{service_name=~`.+`}");
    assertThat(ask("query_range", ALL + query).split("\\[\"1763")).hasSize(1 + lines);
    assertThat(ask("query_range", ALL + query + "&direction=forward").split("\\[\"1763"))
        .hasSize(1 + lines);
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " ==> ",
      value = {
        "1 / 0 ==> NaN",
        "-1 / 0 ==> NaN",
        "5 % 0 ==> NaN",
        "sum(count_over_time({service_name=~`.+`}[1h])) / 0 ==> NaN",
        "0 / sum(count_over_time({service_name=~`.+`}[1h])) ==> 0",
        "vector(1) / 0 ==> NaN",
        "2 ^ 1024 ==> +Inf",
        "max(count_over_time({level=~`.+`}[1h]) / 0) ==> NaN",
        "sum(topk(1, count_over_time({service_name=~`.+`}[1h]) % 0)) ==> NaN",
      })
  void aDivisionByZeroIsNotANumber(String query, String value) {
    assertThat(ask("query", "time=1763629200&query=" + url(query)))
        .contains("[1763629200,\"" + value + "\"]");
  }

  @ParameterizedTest
  @CsvSource({"0.5,30", "0.25,25", "0,20", "1,40", "0.9,38"})
  void quantilesAreInterpolated(String quantile, String value) {
    String query =
        "quantile_over_time(%s,{service_name=\"checkout\"} | json | unwrap ms [1h]) by ()"
            .formatted(quantile);
    assertThat(ask("query", "time=1763629200&query=" + url(query)))
        .contains("[1763629200,\"" + value + "\"]");
  }

  @Test
  void answersListMissingPartsAndDroppedHours() {
    WideColumnStore lacking =
        new ForwardingStore() {
          @Override
          protected WideColumnStore delegate() {
            return STORE;
          }

          @Override
          public List<String> missing(Hour from, Hour to, Predicate<String> types) {
            return List.of("hours/keep/x");
          }

          @Override
          public CompletionStage<DroppedHours> dropped(Hour from, Hour to) {
            return CompletableFuture.completedFuture(
                DroppedHours.of(List.of(Hour.parse("2025-11-20T08"))));
          }
        };
    String twice = "series?match=" + url("{app=\"c\"}") + "&match=" + url("{app=\"d\"}") + "&";
    try (QueryServer server = new QueryServer(lacking, QueryOptions.builder().build())) {
      for (String path :
          List.of(
              "labels?",
              "label/level/values?",
              twice,
              "index/stats?",
              "index/volume?",
              "index/volume_range?",
              "detected_labels?",
              "detected_fields?",
              "detected_field/ms/values?",
              "query_range?query=" + url("{app=\"c\"}") + "&")) {
        QueryServer.Reply reply = server.get("/loki/api/v1/" + path + ALL);
        assertThat(reply.body())
            .as(path)
            .contains(
                "\"warnings\":[\"the store lacks hours/keep/x\",\"dropped: 2025-11-20T08\"],");
      }
    }
  }

  @Test
  void fieldsAreDetected() {
    assertThat(ask("detected_fields", ALL + "&line_limit=100&limit=10&query=" + url("{app=\"c\"}")))
        .isEqualTo(
            "{\"fields\":["
                + "{\"label\":\"detected_level\",\"type\":\"string\",\"cardinality\":1,\"parsers\":null},"
                + "{\"label\":\"dur\",\"type\":\"duration\",\"cardinality\":1,\"parsers\":[\"logfmt\"]},"
                + "{\"label\":\"level_extracted\",\"type\":\"string\",\"cardinality\":1,\"parsers\":[\"logfmt\"]},"
                + "{\"label\":\"trace\",\"type\":\"string\",\"cardinality\":1,\"parsers\":null}],\"limit\":10}");
    assertThat(
            ask("detected_field/ms/values", ALL + "&query=" + url("{service_name=\"checkout\"}")))
        .isEqualTo("{\"values\":[\"20\",\"40\"],\"limit\":1000}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " ==> ",
      value = {
        "query={app=~\".*\"} ==> parse error: queries require at least one matcher",
        "query={app=\"c\"} | pattern \"x\" ==> parse error at line 1, col 13: the stage pattern is not supported",
        "query={app=~\"(\"} ==> parse error: \"(\" is no regular expression",
        "limit=6000&query={app=\"c\"} ==> limit: \"6000\" is not a number from 1 to 5000",
        "start=x&query={app=\"c\"} ==> start: \"x\" is not a time",
        "start=2&end=1&query={app=\"c\"} ==> start: \"2\" is after the end",
        "step=0&query=rate({app=\"c\"}[1m]) ==> step: \"0\" is not a duration",
        "step=1&start=0&end=99999999&query=rate({app=\"c\"}[1m]) ==> exceeded maximum resolution of 11000",
        "interval=-1&query={app=\"c\"} ==> interval: \"-1\" is not a duration",
        "interval=x&query={app=\"c\"} ==> interval: \"x\" is not a duration",
        "direction=up&query={app=\"c\"} ==> direction: \"up\" is not forward or backward",
        "limit=3 ==> query: not given",
      })
  void refusalsAreALineOfText(String parameters, String refusal) {
    StringBuilder encoded = new StringBuilder();
    for (String parameter : parameters.split("&")) {
      String[] parts = parameter.split("=", 2);
      encoded.append(parts[0]).append('=').append(url(parts[1])).append('&');
    }
    QueryServer.Reply reply = SERVER.get("/loki/api/v1/query_range?" + encoded);
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.headers()).containsEntry("Content-Type", "text/plain; charset=utf-8");
    assertThat(reply.body()).startsWith(refusal).endsWith("\n").hasLineCount(1);
    assertThat(SERVER.head("/loki/api/v1/query_range?" + encoded).status()).isEqualTo(400);
  }

  @Test
  void instantLogQueriesAreRefused() {
    QueryServer.Reply reply = SERVER.get("/loki/api/v1/query?query=" + url("{app=\"c\"}"));
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.body()).startsWith("log queries are not supported as an instant query type");
  }

  @Test
  void theSizeOfAFormIsBounded() {
    QueryServer.Reply reply = SERVER.post("/loki/api/v1/query", "query=" + "x".repeat(300_000));
    assertThat(reply.status()).isEqualTo(413);
  }

  @Test
  void emptyRangesHaveEmptyAnswers() {
    String none = "start=1763625600000000000&end=1763625600000000000";
    assertThat(ask("query_range", none + "&query=" + url("{app=\"c\"}"))).contains("\"result\":[]");
    assertThat(ask("labels", none)).isEqualTo("{\"status\":\"success\"}");
    assertThat(ask("series", none)).contains("\"data\":[]");
    assertThat(ask("index/stats", none)).contains("\"entries\":0");
  }

  /** No query, however it is changed, breaks the server or holds it. */
  @Test
  void mutatedQueriesAreAnsweredOrRefused() {
    Random random = Seed.random(this);
    RandomLogs logs = new RandomLogs(random);
    String signs = "{}[]()|=~!<>+-*/%^,.\"`\\#0159eEmsh _az\u00e9";
    int answered = 0;
    int queries = Tier.length(400, 4_000, 100_000);
    for (int i = 0; i < queries; i++) {
      boolean isMetric = random.nextBoolean();
      StringBuilder query = new StringBuilder(isMetric ? logs.metric() : logs.selector());
      for (int changes = random.nextInt(4); changes > 0; changes--) {
        int at = random.nextInt(query.length());
        char sign = signs.charAt(random.nextInt(signs.length()));
        int from = random.nextInt(at + 1);
        switch (random.nextInt(random.nextInt(8) == 0 ? 4 : 3)) {
          case 0 -> query.deleteCharAt(at);
          case 1 -> query.insert(at, sign);
          case 2 -> query.setCharAt(at, sign);
          default -> query.insert(at, query.substring(from, at).repeat(1 + random.nextInt(40)));
        }
      }
      query.setLength(Math.min(query.length(), CHARS_MAX));
      String path =
          isMetric && random.nextBoolean() ? "query?time=1763629200" : "query_range?" + ALL;
      QueryServer.Reply reply =
          SERVER.get("/loki/api/v1/" + path + "&query=" + url(query.toString()));
      assertThat(reply.status()).as(query + "\n" + reply.body()).isIn(200, 400);
      answered += reply.status() == 200 ? 1 : 0;
    }
    assertThat(answered).isBetween(queries / 10, queries - queries / 10);
    await().until(() -> !SERVER.isAtWork());
  }
}
