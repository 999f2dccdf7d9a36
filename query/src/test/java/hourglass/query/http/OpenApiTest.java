package hourglass.query.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import hourglass.bucketing.Hour;
import hourglass.query.QueryBounds;
import hourglass.query.QueryOptions;
import hourglass.query.advice.RowState;
import hourglass.query.encode.EventFormat;
import hourglass.store.DroppedHours;
import hourglass.store.ForwardingStore;
import hourglass.store.WideColumnStore;
import hourglass.store.testkit.LatentStore;
import hourglass.store.testkit.OracleStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The document agrees with the service. */
class OpenApiTest {
  /** Served by other modules; the program's own tests request these. */
  private static final Set<String> OF_OTHERS =
      Set.of(
          "post /api/v1/events",
          "get /api/v1/rejects",
          "delete /api/v1/hours/{hour}",
          "get /api/v1/retention",
          "post /api/v1/erasures",
          "get /api/v1/erasures",
          "get /api/v1/erasures/{id}",
          "post /loki/api/v1/delete",
          "put /loki/api/v1/delete",
          "get /loki/api/v1/delete",
          "delete /loki/api/v1/delete",
          "post /_bulk",
          "post /{index}/_bulk",
          "post /loki/api/v1/push",
          "post /v1/logs",
          "post /otlp/v1/logs",
          "post /v1/traces",
          "post /otlp/v1/traces",
          "post /v1/metrics",
          "post /otlp/v1/metrics",
          "post /api/v1/backups",
          "get /api/v1/backups",
          "post /api/v1/session",
          "get /api/v1/session",
          "delete /api/v1/session",
          "get /health/live",
          "get /health/ready",
          "get /metrics",
          "get /api/v1/diagnosis",
          "delete /api/v1/queries/{id}",
          "post /services/collector",
          "post /services/collector/event",
          "post /services/collector/event/1.0",
          "post /services/collector/raw",
          "get /services/collector/health",
          "get /services/collector/health/1.0",
          "post /upload");

  /** Below the path of Loki's API; LokiHttpTest requests them. */
  private static final Set<String> OF_LOKI =
      Set.of(
          "query_range",
          "query",
          "labels",
          "label",
          "label/{name}/values",
          "series",
          "tail",
          "index/stats",
          "index/volume",
          "index/volume_range",
          "detected_labels",
          "detected_fields",
          "detected_field/{name}/values",
          "patterns",
          "status/buildinfo",
          "format_query");

  private static final OracleStore STORE = new OracleStore();
  private static final String GONE = "pages/00000000000000000012.pages";

  private static final WideColumnStore LACKING =
      new ForwardingStore() {
        @Override
        protected WideColumnStore delegate() {
          return STORE;
        }

        @Override
        public List<String> missing(Hour from, Hour to, Predicate<String> types) {
          return List.of(GONE);
        }

        @Override
        public CompletionStage<DroppedHours> dropped(Hour from, Hour to) {
          Hour hour = Hour.parse("2026-11-20T08");
          return CompletableFuture.completedFuture(DroppedHours.of(List.of(hour.previous(), hour)));
        }
      };

  private static final QueryServer SERVER = new QueryServer(STORE, QueryOptions.builder().build());

  private final JsonNode document = read();

  @AfterAll
  static void close() {
    SERVER.close();
    STORE.close();
  }

  private static JsonNode read() {
    try {
      return new ObjectMapper(new YAMLFactory()).readTree(SERVER.get("/openapi.yaml").body());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private JsonNode resolved(JsonNode node) {
    JsonNode reference = node.path("$ref");
    return reference.isMissingNode() ? node : document.at(reference.asText().substring(1));
  }

  @Test
  void documentedAndServedRoutesAreEqual() {
    Set<String> documented = new TreeSet<>();
    document
        .get("paths")
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .fieldNames()
                    .forEachRemaining(method -> documented.add(method + " " + path.getKey())));
    Set<String> served = new TreeSet<>(OF_OTHERS);
    for (Endpoint endpoint : Endpoint.ALL) {
      served.add("get " + endpoint.path());
      // A tail would not end.
      String query = endpoint.equals(Endpoint.TAIL) ? "?since=ever" : "";
      assertThat(SERVER.get(endpoint.path().replace("{id}", "x") + query).status())
          .as(endpoint.path())
          .isIn(200, 400);
    }
    OF_LOKI.forEach(path -> served.add("get " + "/loki/api/v1/" + path));
    assertThat(documented).isEqualTo(served);
  }

  @Test
  void documentedAndServedParametersAreEqual() {
    TreeMap<String, Set<String>> documented = new TreeMap<>();
    TreeMap<String, Set<String>> served = new TreeMap<>();
    for (Endpoint endpoint : Endpoint.ALL) {
      Set<String> names = new TreeSet<>();
      for (JsonNode parameter : operation(endpoint).path("parameters")) {
        JsonNode resolved = resolved(parameter);
        assertThat(resolved.path("description").asText()).isNotEmpty();
        String name = resolved.path("name").asText();
        String in = resolved.path("in").asText();
        assertThat(in.equals("path"))
            .as(name)
            .isEqualTo(endpoint.path().contains("{" + name + "}"));
        if (in.equals("query")) {
          names.add(name);
        }
      }
      documented.put(endpoint.path(), names);
      served.put(endpoint.path(), endpoint.parameters());
    }
    assertThat(documented).isEqualTo(served);
  }

  private JsonNode operation(Endpoint endpoint) {
    return document.get("paths").get(endpoint.path()).get("get");
  }

  @Test
  void everyFormatAndItsContentTypeAreDocumented() {
    JsonNode events = operation(Endpoint.EVENTS);
    List<String> formats = new ArrayList<>();
    for (JsonNode each : events.get("parameters")) {
      JsonNode parameter = resolved(each);
      if (parameter.path("name").asText().equals("format")) {
        parameter.at("/schema/enum").forEach(format -> formats.add(format.asText().toUpperCase()));
      }
    }
    for (EventFormat format : EventFormat.values()) {
      assertThat(formats).contains(format.name());
      String mediaType = format.contentType().split(";")[0];
      assertThat(events.at("/responses/200/content").has(mediaType)).as(mediaType).isTrue();
    }
    assertThat(formats).hasSize(EventFormat.values().length);
  }

  @Test
  void theHeadersOfAnAnswerAreDocumented() {
    Set<String> documented = new TreeSet<>();
    operation(Endpoint.EVENTS)
        .at("/responses/200/headers")
        .fieldNames()
        .forEachRemaining(documented::add);
    Set<String> told = new TreeSet<>(List.of(AnswerHead.FACTS.split(", ")));
    told.addAll(List.of("Content-Encoding", "Content-Disposition"));
    assertThat(documented).isEqualTo(told);
  }

  @Test
  void everyReferenceResolves() {
    List<JsonNode> references = document.findValues("$ref");
    assertThat(references).isNotEmpty();
    for (JsonNode reference : references) {
      assertThat(document.at(reference.asText().substring(1)).isMissingNode())
          .as(reference.asText())
          .isFalse();
    }
  }

  @Test
  void theFieldsOfAnswersAreDocumented() throws IOException {
    Fill.row(STORE, "t", 2);
    JsonNode event = read("/api/v1/events?order=desc&limit=1").get("events").get(0);
    String id = event.get("id").asText();
    assertThat(names(read("/api/v1/events/" + id))).isEqualTo(documentedFields("Event"));
    Set<String> page = assertFields("/api/v1/events?limit=1&around=" + id, "Events");
    assertThat(names(event)).isEqualTo(documentedFields("Event"));
    assertThat(names(read("/api/v1/events?limit=1"))).isEqualTo(without(page, "previous"));
    assertFields("/api/v1/hits?hour=2026-11-20T08&by=type&groups=1&partial=allow", "Hits");
    Set<String> plan = without(documentedFields("Plan"), "missing", "dropped", "complete");
    assertThat(names(read("/api/v1/plan"))).isEqualTo(plan);
    assertFields("/api/v1/types?partial=allow", "Types");
    String steps = "&hour=2026-11-20T08&step=1h&by=type&groups=1";
    assertFields("/api/v1/stats?field=data.n&partial=allow" + steps, "Stats");
    JsonNode stats = read("/api/v1/stats?field=data.n");
    assertThat(names(stats.get("series").get(0)))
        .isEqualTo(without(documentedFields("StatsSeries"), "type", "group", "other"));
    JsonNode byType = read("/api/v1/stats?field=data.n&by=type");
    assertThat(names(byType.get("series").get(0)))
        .isEqualTo(without(documentedFields("StatsSeries"), "group", "other"));
    Set<String> grouped = names(read("/api/v1/top?field=data.n&partial=allow&by=type"));
    grouped.addAll(names(read("/api/v1/top?field=data.n&partial=allow")));
    assertThat(grouped).isEqualTo(without(documentedFields("Top"), "missing", "dropped"));
    JsonNode top = read("/api/v1/top?field=data.n");
    assertThat(names(top.get("values").get(0))).isEqualTo(documentedFields("TopValue"));
    Set<String> fields = without(documentedFields("Fields"), "missing", "dropped", "sampled");
    JsonNode ofEvents = read("/api/v1/fields?partial=allow");
    assertThat(names(ofEvents)).isEqualTo(fields);
    assertThat(names(ofEvents.get("fields").get(0))).isEqualTo(documentedFields("Field"));
    assertFields("/api/v1/rows", "Rows");
    JsonNode rows = read("/api/v1/rows");
    assertThat(names(rows.get("rows").get(0))).isEqualTo(documentedFields("Row"));
    assertThat(names(rows.get("types").get(0))).isEqualTo(documentedFields("RowsOfType"));
  }

  @ParameterizedTest
  @CsvSource({
    "/api/v1/events, Events",
    "/api/v1/hits?hour=2026-11-20T08, Hits",
    "/api/v1/types, Types",
    "/api/v1/rows, Rows",
    "/api/v1/stats?field=data.n, Stats",
    "/api/v1/top?field=data.n, Top",
    "/api/v1/fields, Fields",
    "/api/v1/plan, Plan",
  })
  void missingPartsAndDroppedHoursAreDocumented(String path, String schema) throws IOException {
    try (QueryServer lacking = new QueryServer(LACKING, QueryOptions.builder().build())) {
      JsonNode answer = new ObjectMapper().readTree(lacking.get(path).body());
      assertThat(documentedFields(schema)).containsAll(names(answer));
      assertThat(answer.get("missing")).hasToString("[\"" + GONE + "\"]");
      assertThat(answer.get("dropped")).hasToString("[\"2026-11-20T07..2026-11-20T08\"]");
      assertThat(answer.get("complete").asBoolean()).isFalse();
    }
    JsonNode fields = document.at("/components/schemas/" + schema + "/properties");
    assertThat(fields.at("/missing/$ref").asText()).endsWith("/PartsMissing");
    assertThat(fields.at("/dropped/$ref").asText()).endsWith("/HoursDropped");
    assertThat(resolved(fields.get("missing")).path("description").asText()).isNotEmpty();
  }

  /** Names alone do not explain these facts. */
  @Test
  void everyFieldOfRowsIsDescribed() {
    for (String schema :
        List.of("Rows", "Row", "RowsOfType", "Stats", "StatsSeries", "Top", "TopValue")) {
      JsonNode fields = document.at("/components/schemas/" + schema + "/properties");
      assertThat(fields).isNotEmpty();
      fields
          .properties()
          .forEach(
              field ->
                  assertThat(resolved(field.getValue()).path("description").asText())
                      .as(schema + "." + field.getKey())
                      .isNotEmpty());
    }
  }

  @Test
  void everyStateOfARowIsDocumented() {
    List<String> documented = new ArrayList<>();
    document
        .at("/components/schemas/Row/properties/state/enum")
        .forEach(state -> documented.add(state.asText()));
    assertThat(documented)
        .containsExactly(Stream.of(RowState.values()).map(RowState::text).toArray(String[]::new));
  }

  @Test
  void theFieldsOfARefusalAreDocumented() throws IOException {
    QueryBounds none = new QueryBounds(1, 1, 60_000);
    Fill.row(STORE, "t", 2);
    try (QueryServer bounded =
        new QueryServer(STORE, QueryOptions.builder().bounds(none).build())) {
      String refusal = bounded.get("/api/v1/events?limit=all").body();
      JsonNode problem = new ObjectMapper().readTree(refusal);
      assertThat(names(problem)).isEqualTo(documentedFields("TooCostly"));
      assertThat(names(problem.get("plan")))
          .isEqualTo(without(documentedFields("Plan"), "missing", "dropped", "complete"));
    }
  }

  @Test
  void theFieldsOfARunningQueryAreDocumented() throws IOException {
    LatentStore held = new LatentStore(Fill.shared(STORE));
    Fill.row(STORE, "t", 2);
    CompletableFuture<Void> open = new CompletableFuture<>();
    held.setFault(
        query -> {
          open.join();
          return null;
        });
    try (QueryServer server = new QueryServer(held, QueryOptions.builder().build())) {
      CompletableFuture<Integer> status =
          CompletableFuture.supplyAsync(() -> server.get("/api/v1/events").status());
      await().until(() -> held.slices() > 0);
      JsonNode list = new ObjectMapper().readTree(server.get("/api/v1/queries").body());
      assertThat(names(list)).isEqualTo(documentedFields("RunningQueries"));
      assertThat(names(list.get("queries").get(0))).isEqualTo(documentedFields("RunningQuery"));
      open.complete(null);
      assertThat(status.join()).isEqualTo(200);
    } finally {
      open.complete(null);
      held.close();
    }
  }

  /** All fields but {@code missing} and {@code dropped}, since the store has everything. */
  private Set<String> assertFields(String path, String schema) throws IOException {
    Set<String> expected = without(documentedFields(schema), "missing", "dropped");
    assertThat(names(read(path))).as(path).isEqualTo(expected);
    return expected;
  }

  private static JsonNode read(String path) throws IOException {
    return new ObjectMapper().readTree(SERVER.get(path).body());
  }

  private Set<String> documentedFields(String schema) {
    return names(document.at("/components/schemas/" + schema + "/properties"));
  }

  private static Set<String> without(Set<String> names, String... some) {
    Set<String> others = new TreeSet<>(names);
    for (String name : some) {
      assertThat(others.remove(name)).as(name).isTrue();
    }
    return others;
  }

  private static Set<String> names(JsonNode object) {
    Set<String> names = new TreeSet<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }
}
