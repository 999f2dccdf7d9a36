package hourglass.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.query.QueryOptions;
import hourglass.store.ColumnsBuilder;
import hourglass.store.Mutation;
import hourglass.store.testkit.OracleStore;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class FilterHttpTest {
  private static final TimeUuid FIRST = TimeUuid.first(Fill.HOUR.startTicks());

  private final OracleStore store = new OracleStore();
  private final QueryServer server = new QueryServer(store, QueryOptions.builder().build());

  FilterHttpTest() {
    write(
        "shop",
        "{\"n\":0,\"status\":500,\"host\":\"web-1\",\"level\":\"error\",\"message\":\"Connection refused by db\"}",
        "{\"n\":1,\"status\":\"500\",\"host\":\"web-2\",\"level\":\"warn\",\"http\":{\"path\":\"/health\"}}",
        "{\"n\":2,\"status\":200,\"host\":\"db-1\",\"trace\":\"4bf92f3577b34da6a3ce929d0e0e4736\"}");
    write(
        "login", "{\"n\":3,\"ms\":250,\"message\":\"timeout after 30 s\"}", "{\"n\":4,\"ms\":9.5}");
  }

  private void write(String type, String... payloads) {
    ColumnsBuilder columns = new ColumnsBuilder(payloads.length, 1_000);
    for (int i = 0; i < payloads.length; i++) {
      TimeUuid name = TimeUuid.first(Fill.HOUR.startTicks() + i);
      byte[] payload = payloads[i].getBytes(StandardCharsets.UTF_8);
      columns.add(name.ticks(), name.lsb(), payload, 0, payload.length);
    }
    RowKey row = new RowKey(Fill.HOUR, type, 0);
    store.write(List.of(new Mutation(row, columns.build()))).toCompletableFuture().join();
  }

  @AfterEach
  void close() {
    server.close();
    store.close();
  }

  private JsonObject get(String path, int status) {
    QueryServer.Reply reply = server.get("/api/v1/" + path);
    assertThat(reply.status()).as(reply.body()).isEqualTo(status);
    return new JsonObject(reply.body());
  }

  private String refusal(String path) {
    QueryServer.Reply reply = server.get("/api/v1/" + path);
    assertThat(reply.status()).as(reply.body()).isEqualTo(400);
    return reply.body();
  }

  private static String q(String filter) {
    return "q=" + URLEncoder.encode(filter, StandardCharsets.UTF_8);
  }

  private String numbers(String parameters) {
    return get("events?" + parameters, 200).getJsonArray("events").stream()
        .map(event -> ((JsonObject) event).getJsonObject("data").getInteger("n"))
        .sorted()
        .toList()
        .toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '§',
      quoteCharacter = '\0',
      value = {
        "status:500 § [0, 1]",
        "status>400 § [0]",
        "status:=500 § [0, 1]",
        "host:web-* § [0, 1]",
        "-host:web-* § [2, 3, 4]",
        "level:(error OR warn) § [0, 1]",
        "message:refused § [0]",
        "message:\"connection refused\" § [0]",
        "message:connection § [0]",
        "_exists_:ms § [3, 4]",
        "ms:9..250 § [3, 4]",
        "type:login timeout § [3]",
        "TIMEOUT OR refused § [0, 3]",
        "http.path:/health § [1]",
        "-http.path:/health § [0, 2, 3, 4]",
        "4bf92f3577b34da6a3ce929d0e0e4736 § [2]",
        "data.status == 500 || data.ms > 100 § [0, 3]",
        "\"no such text\" § []",
        // as in Kibana
        "status:[400 TO 599] § [0]",
        "status >= 400 and level: \"error\" § refused: no blank stands after the colon",
        "status >= 400 and level:\"error\" § [0]",
        "not level:error and host:web* § [1]",
        "message:(refused OR timeout) § [0, 3]",
        "NOT _exists_:message § [1, 2, 4]",
        "host:*-1 § [0, 2]",
        "+level:error -host:db-1 § [0]",
        "*:* § [0, 1, 2, 3, 4]",
        "message:*refused* § [0]",
        // as in Grafana
        "level=\"error\" § [0]",
        "host=~\"web-.*\" § [0, 1]",
        "host!~\"web-.*\" ms>1 § [3, 4]",
        "{host=\"web-1\"} |= \"refused\" § refused: LogQL",
        // as in vmui
        "status:>499 § [0]",
        "level:in(error,warn) § [0, 1]",
        "host:=web-1 § [0]",
        "host:~\"^web\" § [0, 1]",
        "level:error OR level:warn § [0, 1]",
        "refused | stats count() § refused: no stages after |",
        "(timeout OR refused) AND NOT type:login § [0]",
        "!host:* § [3, 4]",
      })
  void filtersSelectEvents(String filter, String numbers) {
    if (numbers.startsWith("refused: ")) {
      assertThat(refusal("events?" + q(filter))).contains(numbers.substring("refused: ".length()));
      return;
    }
    assertThat(numbers(q(filter))).isEqualTo(numbers);
    JsonObject meaning = get("filter?" + q(filter), 200);
    StringBuilder same = new StringBuilder("limit=all");
    add(same, "where", new JsonArray().add(meaning.getString("where")));
    add(same, "word", meaning.getJsonArray("word"));
    add(same, "type", meaning.getJsonArray("type"));
    assertThat(numbers(same.toString())).as("by its parameters").isEqualTo(numbers);
  }

  private static void add(StringBuilder query, String name, JsonArray values) {
    for (Object value : values) {
      if (!value.equals("")) {
        query.append('&').append(name).append('=');
        query.append(URLEncoder.encode(value.toString(), StandardCharsets.UTF_8));
      }
    }
  }

  @Test
  void anIdSelectsItsEvent() {
    assertThat(numbers(q(FIRST.toString()))).isEqualTo("[0, 3]"); // of both types
    assertThat(numbers(q(FIRST.toString()) + "&type=shop")).isEqualTo("[0]");
    assertThat(numbers(q(FIRST.toString()) + "&hour=2026-11-20T09")).isEqualTo("[]");
  }

  @Test
  void otherParametersNarrowTheFilter() {
    assertThat(numbers(q("status:500") + "&where=data.n%3D%3D1")).isEqualTo("[1]");
    assertThat(numbers(q("status:500") + "&contains=web-1")).isEqualTo("[0]");
    assertThat(numbers(q("status:500") + "&word=WEB-2")).isEqualTo("[1]");
    assertThat(numbers(q("type:shop") + "&type=login")).isEqualTo("[]");
    assertThat(numbers(q("type:(shop OR x) level:error") + "&type=login&type=shop"))
        .isEqualTo("[0]");
    assertThat(numbers("word=after&word=timeout")).isEqualTo("[3]");
    assertThat(refusal("events?" + q("a:1") + "&where=true)%20||%20(true")).startsWith("where: ");
  }

  @Test
  void everyQueryAcceptsAFilter() {
    String filter = q("status:500");
    String hour = "&hour=2026-11-20T08";
    assertThat(get("hits?" + filter + hour, 200).getInteger("total")).isEqualTo(2);
    assertThat(get("types?" + filter + hour, 200).getJsonArray("types").getJsonObject(0))
        .isEqualTo(new JsonObject().put("type", "shop").put("count", 2).put("bytes", 166));
    assertThat(get("fields?" + filter + hour, 200).getInteger("events")).isEqualTo(2);
    assertThat(get("top?field=host&" + filter + hour, 200).getJsonArray("values")).hasSize(2);
    assertThat(get("stats?field=n&by=host&" + filter + hour, 200).getJsonArray("series"))
        .hasSize(2);
    assertThat(get("plan?" + filter + hour, 200).getInteger("rows")).isEqualTo(2);
  }

  @Test
  void thePrefixDataIsOptional() {
    String with = server.get("/api/v1/top?field=data.host&by=data.status").body();
    assertThat(server.get("/api/v1/top?field=host&by=status").body()).isEqualTo(with);
    assertThat(refusal("top?field=data")).startsWith("field: \"data\"");
  }

  @Test
  void aCursorNeedsTheSameFilter() {
    JsonObject page = get("events?limit=1&" + q("status:500"), 200);
    String cursor = page.getString("cursor");
    assertThat(numbers("cursor=" + cursor + "&" + q("status:500"))).isEqualTo("[1]");
    assertThat(refusal("events?cursor=" + cursor + "&" + q("status:200"))).startsWith("cursor: ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"events", "hits", "types", "stats", "top", "fields", "tail", "filter"})
  void aRefusalProposesACorrection(String path) {
    JsonObject problem = get(path + "?" + q("status>500 level: error"), 400);
    assertThat(problem.getString("detail"))
        .isEqualTo(
            "q: \"status>500 level: error\": column 12: no blank stands after the colon of a field;"
                + " or put it in quotes to search for the text; did you mean:"
                + " status>500 level:error");
    assertThat(problem.getString("fix")).isEqualTo("status>500 level:error");
    assertThat(problem.getString("parameter")).isEqualTo("q");
    assertThat(problem.getInteger("from")).isEqualTo(11);
    assertThat(problem.getInteger("to")).isEqualTo(23);
  }

  @Test
  void aRefusalMayHaveStatus200() {
    String refused = server.get("/api/v1/filter?" + q("status: 5")).body();
    assertThat(server.get("/api/v1/filter?on_refused=200&" + q("status: 5")))
        .satisfies(reply -> assertThat(reply.status()).isEqualTo(200))
        .satisfies(reply -> assertThat(reply.body()).isEqualTo(refused));
  }

  @Test
  void aFilterIsExplained() {
    assertThat(get("filter?" + q("type:shop status>500 refused") + "&and=host:x", 200))
        .isEqualTo(
            new JsonObject(
                """
                {"q":"type:shop status>500 refused host:x","language":"words",
                 "where":"data.status > 500 && (data.host == \\"x\\" || data.host.hasWords(\\"x\\"))",
                 "word":["refused"],"contains":"","type":["shop"],"id":null,
                 "parts":[{"from":0,"to":9},{"from":10,"to":20},{"from":21,"to":28},{"from":29,"to":35}],
                 "fields":[{"from":0,"to":4,"field":"type"},{"from":10,"to":16,"field":"data.status"},
                   {"from":29,"to":33,"field":"data.host"}],
                 "marks":[{"field":"type","text":"shop","whole":true,"words":false},
                   {"field":"data.host","text":"x","whole":true,"words":false},
                   {"field":"data.host","text":"x","whole":false,"words":true},
                   {"field":"data","text":"refused","whole":false,"words":true}]}
                """));
    assertThat(get("filter", 200).getString("language")).isEqualTo("none");
    assertThat(refusal("filter?x=1")).contains("want one of and, on_refused, q");
  }

  @Test
  void aTailAcceptsAFilter() {
    try (TailClient tail =
        new TailClient(server.port(), "?since=2026-11-20T08:00:00Z&" + q("ms>100"), "")) {
      Awaitility.await().until(() -> !tail.messages.isEmpty());
      assertThat(tail.messages.iterator().next().data()).contains("\"n\":3");
    }
  }
}
