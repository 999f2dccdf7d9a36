package hourglass.ingest.protocols.splunk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.awaitility.Awaitility.await;

import hourglass.ingest.decode.Reason;
import hourglass.ingest.http.IngestServer;
import hourglass.ingest.http.RawExchanges;
import hourglass.ingest.service.Rejects;
import hourglass.store.OverloadedException;
import hourglass.store.UnavailableException;
import hourglass.testing.Patience;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SplunkCollectorTest {
  /** The hour of the times below. */
  private static final String HOUR = "23112611";

  private static final String SUCCESS = "{\"text\":\"Success\",\"code\":0}";
  private static final String A =
      "{\"time\":1795435070.359,\"event\":\"a\",\"sourcetype\":\"web\"}";
  private static final String B =
      "{\"time\":1795435070.359,\"event\":\"b\",\"sourcetype\":\"web\"}";
  private static final String C =
      "{\"time\":1795435070.359,\"event\":\"c\",\"sourcetype\":\"web\"}";

  private static IngestServer server;
  private static HttpClient client;

  @BeforeAll
  static void start() {
    server = new IngestServer(new SplunkCollector(SplunkCollector.DEFAULTS));
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

  private static HttpResponse<String> send(String method, String path, String body)
      throws Exception {
    return send(method, path, body.getBytes(UTF_8));
  }

  private static HttpResponse<String> send(String method, String path, byte[] body)
      throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.url("/services/collector" + path)))
            .timeout(Patience.LONGEST)
            .method(method, BodyPublishers.ofByteArray(body))
            .build();
    return client.send(request, BodyHandlers.ofString());
  }

  private static HttpResponse<String> push(String body) throws Exception {
    return send("POST", "/event", body);
  }

  private static List<String> rows() {
    return server.store.rows().keySet().stream().map(Object::toString).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "docker-driver,      0",
    "docker-driver-gzip, 0",
    "javalogging,        0",
    "fluent-bit,         0",
    "vector,             0",
    "otelcol-gzip,       0",
    "form,               3",
    "raw,                3",
  })
  void timedEventsOfARepeatedRequestAreStoredOnce(String name, int untimed) throws IOException {
    byte[] request = Files.readAllBytes(Path.of("src/test/resources/requests/splunk", name));
    try (RawExchanges exchanges = new RawExchanges(server)) {
      assertThat(exchanges.send(request).text()).isEqualTo(SUCCESS);
      int stored = server.store.payloads().size();
      assertThat(stored).isPositive();
      assertThat(exchanges.send(request).text()).isEqualTo(SUCCESS);
      assertThat(server.store.payloads()).hasSize(stored + untimed);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/event", "/event/1.0"})
  void optionsListTheMethodsForDocker(String path) throws Exception {
    HttpResponse<String> answer = send("OPTIONS", path, "");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Allow")).hasValue("POST, OPTIONS");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/health", "/health/1.0"})
  void healthIsReported(String path) throws Exception {
    assertThat(send("GET", path, "").body()).isEqualTo("{\"text\":\"HEC is healthy\",\"code\":17}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\n", "\r\n\r\n", "\t\t"})
  void objectsNeedNoSeparator(String between) throws Exception {
    assertThat(push(A + between + B + between + C + between).body()).isEqualTo(SUCCESS);
    assertThat(server.store.payloads()).containsExactlyInAnyOrder(A, B, C);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/event", "/event/1.0"})
  void eventsAreAcceptedOnThreePaths(String path) throws Exception {
    HttpResponse<String> answer = send("POST", path, A);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/json");
    assertThat(rows()).containsExactly(HOUR + "|web|0");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"sourcetype\":\"a\",\"source\":\"b\", | a",
        "\"source\":\"b\", | b",
        "\"sourcetype\":\"\",\"source\":\"b\", | b",
        "\"sourcetype\":null,\"source\":7, | hec",
        "\"sourcetype\":\"\\u0061\", | a",
        "\"sourcetype\":\"\\ud800\", | hec",
        "'' | hec",
      })
  void theTypeIsTheSourcetypeElseTheSource(String fields, String type) throws Exception {
    assertThat(push("{" + fields + "\"event\":1}").body()).isEqualTo(SUCCESS);
    assertThat(server.store.rows().keySet())
        .singleElement()
        .matches(row -> row.type().equals(type));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1795435070",
        "1795435070.359",
        "\"1795435070.359001\"",
        "1795435070359",
        "1.795435070359e9"
      })
  void timesAreReadAsSeconds(String time) throws Exception {
    assertThat(push("{\"event\":1,\"time\":" + time + "}").body()).isEqualTo(SUCCESS);
    assertThat(rows()).containsExactly(HOUR + "|hec|0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "null", "\"\"", "\"now\"", "-1", "1e999", "{}", "\"0x10\""})
  void anInvalidTimeBecomesTheTimeOfReceipt(String time) throws Exception {
    assertThat(push("{\"event\":1,\"time\":" + time + "}").body()).isEqualTo(SUCCESS);
    assertThat(server.store.payloads()).hasSize(1);
    assertThat(rows()).doesNotContain(HOUR + "|hec|0");
  }

  @Test
  void parametersOverrideFields() throws Exception {
    assertThat(send("POST", "/event?type=shop", A).statusCode()).isEqualTo(200);
    assertThat(rows()).containsExactly(HOUR + "|shop|0");
    for (String path : List.of("event?type=%zz", "raw?source=%zz")) {
      String request =
          "POST /services/collector/%s HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}"
              .formatted(path);
      try (RawExchanges exchanges = new RawExchanges(server)) {
        RawExchanges.Answer answer = exchanges.send(request.getBytes(UTF_8));
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text()).contains("\"code\":6");
      }
    }
  }

  @Test
  void repeatedEventsInOtherBatchesAreStoredOnce() throws Exception {
    push(A + B);
    push(A + B + C + C);
    push(B + C + C);
    assertThat(server.store.payloads()).containsExactlyInAnyOrder(A, B, C, C);
  }

  @Test
  void aBrokenObjectDoesNotFailTheOthers() throws Exception {
    HttpResponse<String> answer = push(A + "\n" + B + "{\"event\":}\n" + C + "\n[1]\n");
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(new JsonObject(answer.body()).getMap())
        .contains(entry("code", 6), entry("invalid-event-number", 2))
        .contains(entry("text", "Invalid data format"));
    assertThat(server.store.payloads()).containsExactlyInAnyOrder(A, B, C);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"foo\":1} | Event field is required | 12",
        "{} | Event field is required | 12",
        "{\"event\":\"\"} | Event field cannot be blank | 13",
        "{\"event\":\" \\n\\u0020\"} | Event field cannot be blank | 13",
        "{\"event\":null} | Invalid data format | 6",
      })
  void anObjectWithoutAnEventDoesNotFailTheOthers(String object, String text, int code)
      throws Exception {
    HttpResponse<String> answer = push(A + object + B);
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(new JsonObject(answer.body()).getMap())
        .contains(entry("text", text), entry("code", code), entry("invalid-event-number", 1));
    assertThat(server.store.payloads()).containsExactlyInAnyOrder(A, B);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"event\":0}",
        "{\"event\":false}",
        "{\"event\":{}}",
        "{\"event\":\"\\\\\"}",
        "{\"fields\":{\"metric_name:cpu\":1}}"
      })
  void eventsOfAnyJsonKindAreStored(String object) throws Exception {
    assertThat(push(object).body()).isEqualTo(SUCCESS);
    assertThat(server.store.payloads()).containsExactly(object);
  }

  @Test
  void aBrokenObjectOfSeveralLinesEndsAtTheNextObject() throws Exception {
    assertThat(push("{\"a\":[\n" + A + "\n" + B + "x\n" + C).statusCode()).isEqualTo(400);
    assertThat(server.store.payloads()).contains(B, C);
  }

  @Test
  void theRestAfterTooManyBrokenObjectsIsRefusedAndCounted() throws Exception {
    String broken = "{\n".repeat(EventRequest.BROKEN_MAX);
    long before = count(Reason.NOT_JSON);
    String limit = "behind 1000 broken ones";
    assertThat(push(A + "\n" + broken).body())
        .contains("\"invalid-event-number\":1,", "want a key")
        .doesNotContain(limit);
    assertThat(push(A + "\n" + broken + B + "\n{\n" + C).body())
        .contains("\"invalid-event-number\":1,", "want a key")
        .contains("; " + limit + ", nothing from number 1001 on is stored");
    assertThat(server.store.payloads()).containsExactly(A);
    assertThat(count(Reason.NOT_JSON) - before).isEqualTo(2 * EventRequest.BROKEN_MAX + 1);
  }

  private static long count(Reason reason) {
    return server.service.rejects().stream()
        .filter(some -> some.reason() == reason)
        .mapToLong(Rejects::count)
        .sum();
  }

  @Test
  void aFloodOfBrokenObjectsIsBounded() throws Exception {
    assertThat(push("{\n".repeat(100_000)).statusCode()).isEqualTo(400);
    assertThat(push("[".repeat(1_000_000)).statusCode()).isEqualTo(400);
    assertThat(push("{\"a\":".repeat(100_000)).statusCode()).isEqualTo(400);
    assertThat(server.store.payloads()).isEmpty();
    await().until(() -> server.service.inFlight().used() == 0);
  }

  @Test
  void anEventThatIsNotUtf8DoesNotFailTheOthers() throws Exception {
    byte[] body = (A + "{\"event\":\"a?b\"}" + B).getBytes(UTF_8);
    body[A.length() + "{\"event\":\"a".length()] = (byte) 0xff;
    assertThat(send("POST", "/event", body).body()).isEqualTo(SUCCESS);
    assertThat(server.store.payloads()).containsExactlyInAnyOrder(A, B);
  }

  @Test
  void anEventBeyondALimitDoesNotFailTheOthers() throws Exception {
    String deep = "{\"event\":" + "[".repeat(100) + "]".repeat(100) + "}";
    assertThat(push(A + deep + B).body()).isEqualTo(SUCCESS);
    assertThat(server.store.payloads()).containsExactlyInAnyOrder(A, B);
    HttpResponse<String> alone = push(deep);
    assertThat(alone.statusCode()).isEqualTo(400);
    assertThat(alone.body()).contains("\"code\":6", "\"invalid-event-number\":0", "nested deeper");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " \n "})
  void emptyBodiesAreRefusedAndCounted(String body) throws Exception {
    long before = count(Reason.BODY_EMPTY);
    for (String path : List.of("", "/event", "/raw")) {
      HttpResponse<String> answer = send("POST", path, body.strip());
      assertThat(answer.statusCode()).isEqualTo(400);
      assertThat(answer.body()).isEqualTo("{\"text\":\"No data\",\"code\":5}");
    }
    assertThat(count(Reason.BODY_EMPTY) - before).isEqualTo(3);
  }

  @Test
  void rawLinesAreStoredInTheFormOfEvents() throws Exception {
    String parameters = "?sourcetype=app&source=%2Fvar%2Flog&host=vm&index=main&channel=7";
    assertThat(send("POST", "/raw" + parameters, "one \"1\"\r\n\r\n\ntwo").body())
        .isEqualTo(SUCCESS);
    String more =
        ",\"host\":\"vm\",\"source\":\"/var/log\",\"sourcetype\":\"app\",\"index\":\"main\"}";
    assertThat(server.store.payloads())
        .containsExactly("{\"event\":\"one \\\"1\\\"\"" + more, "{\"event\":\"two\"" + more);
    assertThat(server.store.rows().keySet()).allMatch(row -> row.type().equals("app"));
  }

  @Test
  void overloadAndOutageAreAnsweredAsBusy() throws Exception {
    for (RuntimeException failure :
        List.of(
            new OverloadedException("full", Duration.ofSeconds(2)),
            new UnavailableException("away"))) {
      server.store.answer(CompletableFuture.failedFuture(failure));
      HttpResponse<String> answer = push(A);
      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(answer.body()).contains("\"text\":\"Server is busy\",\"code\":9");
      assertThat(answer.headers().firstValue("Retry-After")).isPresent();
    }
  }

  @Test
  void acknowledgementsAreDisabled() throws Exception {
    HttpResponse<String> answer = send("POST", "/ack?channel=7", "{\"acks\":[1]}");
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).isEqualTo("{\"text\":\"ACK is disabled\",\"code\":14}");
  }

  @Test
  void aLargeBodyIsRefused() throws Exception {
    HttpResponse<String> answer = push("{\"event\":\"" + "x".repeat(2 << 20) + "\"}");
    assertThat(answer.statusCode()).isEqualTo(413);
    assertThat(answer.body()).contains("\"code\":6");
  }
}
