package hourglass.ingest.protocols.elastic;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.ingest.http.IngestServer;
import hourglass.store.OverloadedException;
import hourglass.store.UnavailableException;
import hourglass.testing.Patience;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ElasticBulkTest {
  private static final String CREATE = "{\"create\":{\"_index\":\"logs\"}}\n";
  private static final String AT = "\"@timestamp\":\"2026-11-20T08:00:00Z\"";
  private static final String DOCUMENT = "{" + AT + ",\"n\":1}";
  private static final String CREATED = "\"status\":201,\"result\":\"created\",\"_version\":1}}";

  private static IngestServer server;
  private static HttpClient client;

  @BeforeAll
  static void start() {
    server = new IngestServer(new ElasticBulk(ElasticBulk.DEFAULTS));
    client = HttpClient.newHttpClient();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void clear() {
    server.store.clear();
    server.store.answer(CompletableFuture.completedFuture(null));
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return client.send(request.build(), BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(server.url(path))).timeout(Patience.LONGEST);
  }

  private static HttpResponse<String> post(String path, String body) {
    return send(request(path).POST(BodyPublishers.ofString(body)));
  }

  /** The answer's body, with the made-up ids and the time taken written as {@code #}. */
  private static String bulk(String body) {
    return bulk("/_bulk", body);
  }

  private static String bulk(String path, String body) {
    HttpResponse<String> answer = post(path, body);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("X-Elastic-Product")).hasValue("Elasticsearch");
    assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/json");
    return answer
        .body()
        .replaceFirst("\"took\":\\d+", "\"took\":#")
        .replaceAll("\"_id\":\"[0-9a-f]+-(\\d+)\"", "\"_id\":\"#$1\"");
  }

  private static List<String> types() {
    return server.store.rows().keySet().stream().map(row -> row.type()).sorted().toList();
  }

  @Test
  void documentsAreStoredByteForByte() {
    String spaced = "{ " + AT + " , \"n\" : 1.50, \"s\":\"\\u00e9\" }";
    assertThat(bulk(CREATE + spaced + "\n{\"index\":{\"_index\":\"app\"}}\n" + DOCUMENT + "\n"))
        .isEqualTo(
            "{\"took\":#,\"errors\":false,\"items\":["
                + "{\"create\":{\"_index\":\"logs\",\"_id\":\"#0\","
                + CREATED
                + ",{\"index\":{\"_index\":\"app\",\"_id\":\"#1\","
                + CREATED
                + "]}");
    assertThat(server.store.payloads()).containsExactlyInAnyOrder(spaced, DOCUMENT);
    assertThat(types()).containsExactly("app", "logs");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "/_bulk                    ~ {\"index\":{\"_index\":\"logs-2026.11.20\"}}   ~ logs",
        "/a/_bulk                  ~ {\"index\":{\"_index\":\"logs\"}}              ~ logs",
        "/a/_bulk                  ~ {\"index\":{}}                                 ~ a",
        "/a%20b-000001/_bulk       ~ {\"index\":{\"_index\":null}}                  ~ a b",
        "/elasticsearch/_bulk      ~ {\"create\":{\"_index\":\"logs\"}}             ~ logs",
        "/elasticsearch/x/_bulk    ~ {\"create\":{}}                                ~ x",
        "/_bulk                    ~ {\"index\":{}}                                 ~ elasticsearch",
        "/_bulk                    ~ {\"index\":{\"_index\":\"\"}}                  ~ elasticsearch",
        "/_bulk?default_type=other ~ {\"index\":{}}                                 ~ other",
        "/_bulk?type=one           ~ {\"index\":{\"_index\":\"logs\"}}              ~ one",
        "/_bulk?type_field=kind    ~ {\"index\":{\"_index\":\"logs\"}}              ~ k",
        "/_bulk                    ~ {\"attempts\":0,\"index\":{\"_index\":\"e\",\"pipeline\":null}} ~ e",
        "/_bulk                    ~ {\"index\":{\"_index\":\"e\",\"_type\":\"_doc\"},\"attempts\":[{}]} ~ e",
        "/_bulk                    ~  { \"index\" : { \"_index\" : \"e\" } }        ~ e",
        "/_bulk                    ~ {\"index\":{\"_index\":\"\\u0065\"}}           ~ e",
      })
  void theTypeIsTheIndex(String path, String action, String type) {
    bulk(path, action + "\n{" + AT + ",\"kind\":\"k\"}\n");
    assertThat(types()).containsExactly(type);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"@timestamp\":\"2026-11-20T08:00:00+0000\"",
        "\"@timestamp\":\"2026-11-20T09:00:00.000+01:00\"",
        "\"@timestamp\":\"2026-11-20T08:00:00.000\"",
        "\"@timestamp\":1795161600000",
        "\"time\":\"2026-11-20T08:00:00.000Z\"",
        "\"timestamp\":\"2026-11-20 08:00:00\"",
        "\"ts\":1795161600.0",
        "\"ts\":1,\"time\":\"2026-11-20T08:00:00Z\"",
        "\"time\":\"2026-11-21T08:00:00Z\",\"@timestamp\":\"2026-11-20T08:00:00Z\"",
      })
  void theTimeIsAFieldOfTheDocument(String time) {
    bulk(CREATE + "{" + time + "}\n");
    assertThat(server.store.rows().keySet())
        .extracting(Object::toString)
        .containsExactly("20112608|logs|0");
  }

  @Test
  void documentsWithoutATimeAreStored() {
    assertThat(bulk(CREATE + "{}\n" + CREATE + "{\"@timestamp\":\"soon\"}\n"))
        .contains("\"errors\":false");
    assertThat(server.store.payloads()).hasSize(2);
  }

  @Test
  void blankLinesAndAMissingFinalNewlineAreIgnored() {
    String action = "{\"index\":{\"_index\": \"events\"}}";
    assertThat(bulk("\n" + action + "\r\n" + DOCUMENT + "\n\n  \t\n" + action + "\n\n{" + AT + "}"))
        .isEqualTo(
            "{\"took\":#,\"errors\":false,\"items\":["
                + "{\"index\":{\"_index\":\"events\",\"_id\":\"#0\","
                + CREATED
                + ",{\"index\":{\"_index\":\"events\",\"_id\":\"#1\","
                + CREATED
                + "]}");
    assertThat(server.store.payloads()).containsExactlyInAnyOrder(DOCUMENT, "{" + AT + "}");
  }

  @Test
  void aDocumentWithAnIdIsStoredOnceAndEchoesTheId() {
    String action = "{\"create\":{\"_id\":\"x\\\"0\",\"_index\":\"logs\"}}\n";
    String expected =
        "{\"took\":#,\"errors\":false,\"items\":[{\"create\":{\"_index\":\"logs\",\"_id\":\"x\\\"0\","
            + CREATED
            + "]}";
    assertThat(bulk(action + DOCUMENT)).isEqualTo(expected);
    assertThat(bulk(action + DOCUMENT + "\n")).isEqualTo(expected);
    assertThat(server.store.payloads()).hasSize(1);
    bulk(action.replace("logs", "logs-000001") + DOCUMENT);
    bulk(action.replace("\"x\\\"0\"", "7") + DOCUMENT);
    assertThat(server.store.payloads()).hasSize(3);
    bulk(action.replace("\"x\\\"0\"", "\"7\"") + DOCUMENT);
    assertThat(server.store.payloads()).hasSize(3);
  }

  /** After a lost answer, rsyslog repeats documents in other batches. */
  @Test
  void repeatedDocumentsInOtherBatchesAreStoredOnce() {
    String other = "{" + AT + ",\"n\":2}";
    bulk(CREATE + DOCUMENT + "\n" + CREATE + other + "\n");
    bulk(CREATE + other + "\n");
    bulk(CREATE + DOCUMENT + "\n");
    assertThat(server.store.payloads()).hasSize(2);
    bulk(CREATE + DOCUMENT + "\n" + CREATE + DOCUMENT + "\n");
    assertThat(server.store.payloads()).hasSize(3);
  }

  @Test
  void aBadDocumentFailsAsAnItem() {
    String body = CREATE + DOCUMENT + "\n" + CREATE + "{\"a\":}\n" + CREATE + "7\n";
    assertThat(bulk(body))
        .isEqualTo(
            "{\"took\":#,\"errors\":true,\"items\":["
                + "{\"create\":{\"_index\":\"logs\",\"_id\":\"#0\","
                + CREATED
                + ",{\"create\":{\"_index\":\"logs\",\"status\":400,\"error\":"
                + "{\"type\":\"document_parsing_exception\","
                + "\"reason\":\"event: not JSON at byte 5 of it: want a value\"}}}"
                + ",{\"create\":{\"_index\":\"logs\",\"status\":400,\"error\":"
                + "{\"type\":\"document_parsing_exception\","
                + "\"reason\":\"event: not a JSON object: 7\"}}}]}");
    assertThat(server.store.payloads()).containsExactly(DOCUMENT);
  }

  @Test
  void updatesAndDeletesFailAsItems() {
    String update = "{\"update\":{\"_index\":\"logs\",\"_id\":\"1\"}}\n{\"doc\":{}}\n";
    String delete = "{\"delete\":{\"_index\":\"logs\",\"_id\":\"1\"}}\n";
    assertThat(bulk(update + delete + CREATE + DOCUMENT + "\n" + delete))
        .isEqualTo(
            "{\"took\":#,\"errors\":true,\"items\":["
                + failed("update", "1", "line 2: update: not served, events never change")
                + ","
                + failed("delete", "1", "line 3: delete: not served, events never change")
                + ",{\"create\":{\"_index\":\"logs\",\"_id\":\"#2\","
                + CREATED
                + ","
                + failed("delete", "1", "line 6: delete: not served, events never change")
                + "]}");
    assertThat(server.store.payloads()).containsExactly(DOCUMENT);
  }

  private static String failed(String action, String id, String reason) {
    return "{\""
        + action
        + "\":{\"_index\":\"logs\",\"_id\":\""
        + id
        + "\",\"status\":400,\"error\":{\"type\":\"document_parsing_exception\",\"reason\":\""
        + reason
        + "\"}}}";
  }

  /** The second document contains a line break. */
  @Test
  void aBrokenActionFailsAloneAndNamesItsLine() {
    String body = CREATE + DOCUMENT + "\n" + CREATE + "{\"m\":\"a\nb\"}\n" + CREATE + DOCUMENT;
    assertThat(bulk("/x/_bulk", body))
        .contains("\"errors\":true")
        .contains(
            "{\"index\":{\"_index\":\"x\",\"status\":400,\"error\":{\"type\":\"document_parsing_exception\","
                + "\"reason\":\"line 5: not an action, want {\\\"create\\\":{...}} or {\\\"index\\\":{...}}"
                + " before each document\"}}}");
    assertThat(server.store.payloads()).containsExactly(DOCUMENT, DOCUMENT);
  }

  @Test
  void anActionWithoutADocumentFails() {
    assertThat(bulk(CREATE + DOCUMENT + "\n" + CREATE))
        .endsWith(
            ",{\"create\":{\"_index\":\"logs\",\"status\":400,\"error\":"
                + "{\"type\":\"document_parsing_exception\",\"reason\":\"line 3: no document follows\"}}}]}");
    assertThat(server.store.payloads()).containsExactly(DOCUMENT);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "''                       ~ request body is required",
        "' \n\n'                  ~ request body is required",
        "{}                       ~ line 1: not an action",
        "[]                       ~ line 1: not an action",
        "{\"index\":7}            ~ line 1: not an action",
        "{\"index\":{}            ~ line 1: not an action",
        "{\"index\":{}} x         ~ line 1: not an action",
        "'{\"type\":\"a\"}\n{\"type\":\"b\"}' ~ line 1: not an action",
      })
  void aBodyWithoutAnActionIsRefusedWhole(String body, String reason) {
    HttpResponse<String> answer = post("/_bulk", body);
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.headers().firstValue("X-Elastic-Product")).hasValue("Elasticsearch");
    JsonObject error = new JsonObject(answer.body());
    assertThat(error.getInteger("status")).isEqualTo(400);
    assertThat(error.getJsonObject("error").getString("type"))
        .isEqualTo("illegal_argument_exception");
    assertThat(error.getJsonObject("error").getString("reason")).startsWith(reason);
    assertThat(error.getJsonObject("error").getJsonArray("root_cause").getJsonObject(0))
        .isEqualTo(
            new JsonObject()
                .put("type", "illegal_argument_exception")
                .put("reason", error.getJsonObject("error").getString("reason")));
    assertThat(server.store.payloads()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/vnd.elasticsearch+x-ndjson; compatible-with=9",
        "application/vnd.elasticsearch+json; compatible-with=8",
        "application/x-ndjson",
        "application/json; charset=utf-8",
        "text/plain"
      })
  void anyContentTypeIsAccepted(String contentType) throws IOException {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
      out.write((CREATE + DOCUMENT + "\n").getBytes(UTF_8));
    }
    byte[] body = zipped.toByteArray();
    HttpRequest.Builder request =
        request("/logs/_bulk?refresh=true&wait_for_active_shards=1&timeout=1000ms")
            .header("Content-Type", contentType)
            .header("Content-Encoding", "gzip");
    assertThat(send(request.PUT(BodyPublishers.ofByteArray(body))).statusCode()).isEqualTo(200);
    HttpRequest.BodyPublisher chunked =
        BodyPublishers.fromPublisher(BodyPublishers.ofByteArray(body));
    assertThat(send(request.POST(chunked)).statusCode()).isEqualTo(200);
    assertThat(server.store.payloads()).containsExactly(DOCUMENT);
  }

  @Test
  void anOverloadMarksEachItemAsRetryable() {
    server.store.answer(
        CompletableFuture.failedFuture(
            new OverloadedException("the store is busy", Duration.ofMillis(1500))));
    String id = "{\"index\":{\"_index\":\"b\",\"_id\":\"7\"}}\n";
    HttpResponse<String> answer = post("/_bulk", CREATE + DOCUMENT + "\n" + id + DOCUMENT);
    String busy = "{\"type\":\"es_rejected_execution_exception\",\"reason\":\"the store is busy\"}";
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.headers().firstValue("Retry-After")).hasValue("2");
    assertThat(answer.headers().firstValue("X-Elastic-Product")).hasValue("Elasticsearch");
    assertThat(answer.body())
        .isEqualTo(
            "{\"took\":0,\"errors\":true,\"items\":["
                + "{\"create\":{\"_index\":\"logs\",\"status\":429,\"error\":"
                + busy
                + "}},{\"index\":{\"_index\":\"b\",\"_id\":\"7\",\"status\":429,\"error\":"
                + busy
                + "}}],\"error\":{\"root_cause\":["
                + busy
                + "],"
                + busy.substring(1)
                + ",\"status\":503}");
  }

  @Test
  void anUnavailableStoreIsAnsweredAsOverload() {
    server.store.answer(CompletableFuture.failedFuture(new UnavailableException("no node", null)));
    HttpResponse<String> answer = post("/_bulk", CREATE + DOCUMENT);
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.headers().firstValue("Retry-After")).hasValue("5");
    assertThat(answer.body()).contains("\"status\":429");
  }

  /**
   * rsyslog sends no name; it drops its batch after any whole answer but repeats it after a broken
   * one.
   */
  @Test
  void overloadBreaksTheConnectionOfAClientWithoutAName() throws IOException {
    server.store.answer(
        CompletableFuture.failedFuture(new OverloadedException("busy", Duration.ofSeconds(1))));
    String body = CREATE + DOCUMENT + "\n";
    try (Socket socket = server.socket()) {
      String head =
          "POST /_bulk HTTP/1.1\r\nHost: x\r\nContent-Length: " + body.length() + "\r\n\r\n";
      socket.getOutputStream().write((head + body).getBytes(UTF_8));
      String answer = new String(socket.getInputStream().readAllBytes(), UTF_8);
      assertThat(answer)
          .startsWith("HTTP/1.1 503 ")
          .contains("busy")
          .doesNotContain("\r\n0\r\n\r\n");
    }
  }

  @Test
  void anOverloadIsAnsweredAlikeWithATrailingSlash() {
    server.store.answer(CompletableFuture.failedFuture(new UnavailableException("no node", null)));
    assertThat(post("/logs/_bulk/", CREATE + DOCUMENT).body()).contains("\"status\":429");
  }

  @Test
  void aLongAnswerIsComplete() {
    int documents = 4_000;
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < documents; i++) {
      body.append("{\"index\":{\"_index\":\"logs\",\"_id\":\"id-").append(i).append("\"}}\n");
      body.append(i % 7 == 0 ? "broken" : DOCUMENT).append('\n');
    }
    JsonObject answer = new JsonObject(post("/_bulk", body.toString()).body());
    assertThat(answer.getJsonArray("items")).hasSize(documents);
    for (int i = 0; i < documents; i++) {
      JsonObject item = answer.getJsonArray("items").getJsonObject(i).getJsonObject("index");
      assertThat(item.getString("_id")).isEqualTo("id-" + i);
      assertThat(item.getInteger("status")).isEqualTo(i % 7 == 0 ? 400 : 201);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "/_bulk?identity=maybe ~ identity: \"maybe\", want one of [none, body, content, id]",
        "/_bulk?type=          ~ type: empty",
      })
  void aBadParameterIsRefused(String path, String reason) {
    HttpResponse<String> answer = post(path, CREATE + DOCUMENT);
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(new JsonObject(answer.body()).getJsonObject("error").getString("reason"))
        .startsWith(reason);
  }

  @Test
  void aTooLongIndexIsRefused() {
    assertThat(post("/" + "x".repeat(256) + "/_bulk", CREATE + DOCUMENT).statusCode())
        .isEqualTo(400);
    assertThat(post("/" + "x".repeat(255) + "/_bulk", CREATE + DOCUMENT).statusCode())
        .isEqualTo(200);
  }
}
