package hourglass.program.http;

import static hourglass.program.http.OddBodies.join;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import hourglass.program.ServerProcess;
import hourglass.testing.Tier;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Bad input is refused with its status and reason, and disturbs nothing else. In the tables, a
 * quote is written as an apostrophe.
 */
@Tag(Tier.IN_FIRST)
class BadInputIT {
  static final int EVENT_BYTES_MAX = 4096;
  static final int BODY_BYTES_MAX = 65_536;
  private static final String ANY = "*";
  private static final String NDJSON = "application/x-ndjson";
  private static final String JSON = "application/json";
  private static final AtomicInteger CASES = new AtomicInteger();

  @TempDir static Path folder;
  private static ServerProcess server;

  /** The type of this case, so that each case counts its own events. */
  private final String type = "t%03d".formatted(CASES.incrementAndGet());

  private final String good = quoted("{'type':'" + type + "','time':'2026-11-20T08:00:00Z'}");

  @BeforeAll
  static void start() throws IOException {
    server =
        ServerProcess.start(
            folder,
            "ingest.max-event-bytes=" + EVENT_BYTES_MAX,
            "ingest.max-body-bytes=" + BODY_BYTES_MAX,
            "ingest.max-in-flight-bytes=20MiB");
  }

  @AfterAll
  static void stop() {
    assertThat(server.log()).doesNotContain(" ERROR ", "OutOfMemory");
    server.close();
  }

  /** The next request succeeds after each failure, and no memory stays reserved. */
  @AfterEach
  void otherPushesStillSucceed() throws Exception {
    assertThat(push(NDJSON, good).statusCode()).isEqualTo(200);
    assertThat(server.metrics()).containsPattern("(?m)^hourglass_ingest_in_flight_bytes 0(\\.0)?$");
  }

  @ParameterizedTest
  @MethodSource("hourglass.program.http.BadEvents#all")
  void badEventIsRefusedAndOthersAreStored(String event, String reason) throws Exception {
    boolean isText = reason.startsWith("type: 258");
    byte[] bad = quoted(event).getBytes(isText ? UTF_8 : ISO_8859_1);
    byte[] body = join((good + "\n").getBytes(UTF_8), bad, ("\n" + good + "\n").getBytes(UTF_8));
    HttpResponse<String> answer = push(NDJSON, body);
    assertThat(answer.statusCode()).isEqualTo(200);
    JsonObject verdicts = new JsonObject(answer.body());
    assertThat(verdicts.getInteger("accepted")).isEqualTo(2);
    assertThat(verdicts.getInteger("rejected")).isEqualTo(1);
    JsonObject error = verdicts.getJsonArray("errors").getJsonObject(0);
    assertThat(error.getInteger("index")).isEqualTo(1);
    assertThat(error.getString("reason")).contains(quoted(reason));
    assertThat(stored()).isEqualTo(2);
    assertThat(server.get("/api/v1/types?type=b&type=c").body()).startsWith("{\"types\":[]");

    HttpResponse<String> alone = push(NDJSON, bad);
    assertThat(alone.statusCode()).isEqualTo(400);
    assertThat(alone.body()).startsWith("{\"accepted\":0,\"rejected\":1,");
  }

  static Stream<Arguments> times() {
    return Stream.of(
        arguments("1795161600", "2026-11-20T08:00:00.0000000Z"),
        arguments("1795161600.25", "2026-11-20T08:00:00.2500000Z"),
        arguments("1.7951616e9", "2026-11-20T08:00:00.0000000Z"),
        arguments("1795161600123", "2026-11-20T08:00:00.1230000Z"),
        arguments("1795161600123.4567", "2026-11-20T08:00:00.1234567Z"),
        arguments("1795161600123456", "2026-11-20T08:00:00.1234560Z"),
        arguments("1795161600123456.75", "2026-11-20T08:00:00.1234567Z"),
        arguments("1795161600123456789", "2026-11-20T08:00:00.1234567Z"),
        arguments("'1795161600123'", "2026-11-20T08:00:00.1230000Z"),
        arguments("946684800", "2000-01-01T00:00:00.0000000Z"),
        arguments("'2026-11-20T08:00:00Z'", "2026-11-20T08:00:00.0000000Z"),
        arguments("'2026-11-20T08:00:00.1Z'", "2026-11-20T08:00:00.1000000Z"),
        arguments("'2026-11-20T08:00:00.123456789Z'", "2026-11-20T08:00:00.1234567Z"),
        arguments("'2026-11-20T13:30:00+05:30'", "2026-11-20T08:00:00.0000000Z"),
        arguments("'2026-11-19T22:00:00.5-10:00'", "2026-11-20T08:00:00.5000000Z"),
        arguments("'2026-11-20t08:00:00z'", "2026-11-20T08:00:00.0000000Z"),
        arguments("'2016-12-31T23:59:60Z'", "2016-12-31T23:59:59.9999999Z"));
  }

  @ParameterizedTest
  @MethodSource("times")
  void timeIsReadInItsUnit(String time, String stored) throws Exception {
    push(NDJSON, quoted("{'type':'" + type + "','time':" + time + "}"));
    JsonObject page = new JsonObject(server.get("/api/v1/events?type=" + type).body());
    assertThat(page.getJsonArray("events").getJsonObject(0).getString("time")).isEqualTo(stored);
  }

  @Test
  void missingTimeIsTheTimeOfReceipt() throws Exception {
    String untimed = quoted("{'type':'" + type + "'}");
    assertThat(push(NDJSON, untimed + "\n" + good + "\n" + untimed).body())
        .startsWith("{\"accepted\":3,\"rejected\":0,\"untimed\":2,\"times\":{")
        .endsWith("\"errors\":[]}");
    assertThat(stored()).isEqualTo(3);
  }

  static Stream<Arguments> badBodies() {
    String e = "{'type':'TYPE','time':1795161600}";
    String none = "; nothing of the array is stored";
    return Stream.of(
        arguments("", "body: no event"),
        arguments(" \n ", "body: no event"),
        arguments("[]", "body: no event"),
        arguments("nope", "event: not JSON at byte 1 of it"),
        arguments("{'type':'TYPE'", "ends too early, want a comma or }"),
        arguments(e + e, "event: not JSON at byte 33 of it: want nothing more"),
        arguments("[" + e + "," + e, "body: not JSON at byte 68: ends too early" + ANY + none),
        arguments("[" + e + ",", "body: not JSON at byte 35: ends too early" + ANY + none),
        arguments("[" + e + "]]", "body: not JSON at byte 35: want nothing more" + none),
        arguments("[" + e + ",{'type':}]", "body: not JSON at byte 43: want a value" + none),
        arguments("[" + e + " " + e + "]", "body: not JSON at byte 35: want a comma or ]" + none),
        arguments("[1,'a',null]", "event: not a JSON object: 'a'"),
        arguments("[[" + e + "]]", "event: not a JSON object: [" + e + "]"),
        arguments("[".repeat(60_000), "ends too early"));
  }

  @ParameterizedTest
  @MethodSource("badBodies")
  void badBodyStoresNothing(String body, String reason) throws Exception {
    HttpResponse<String> answer = push(JSON, quoted(body.replace("TYPE", type)));
    assertThat(answer.statusCode()).isEqualTo(400);
    JsonObject verdicts = new JsonObject(answer.body());
    assertThat(verdicts.getInteger("accepted")).isZero();
    String[] parts = quoted(reason.replace("TYPE", type)).split("\\" + ANY);
    assertThat(
            verdicts.getJsonArray("errors").stream().map(x -> ((JsonObject) x).getString("reason")))
        .anySatisfy(text -> assertThat(text).contains(parts));
    assertThat(stored()).isZero();
  }

  @ParameterizedTest
  @MethodSource("hourglass.program.http.BadEncodings#all")
  void badEncodingIsRefused(String encoding, byte[] body, int status, String detail)
      throws Exception {
    double before = refused(status);
    for (boolean announced : new boolean[] {true, false}) {
      HttpRequest.BodyPublisher bytes = BodyPublishers.ofByteArray(body);
      HttpResponse<String> answer =
          server.send(
              HttpRequest.newBuilder(server.uri("/api/v1/events"))
                  .header("Content-Type", NDJSON)
                  .header("Content-Encoding", encoding)
                  .POST(announced ? bytes : BodyPublishers.fromPublisher(bytes)));
      assertThat(answer.statusCode()).as("announced: " + announced).isEqualTo(status);
      assertThat(answer.body().replace("\\\"", "'")).contains(detail);
    }
    assertThat(refused(status)).isEqualTo(before + (status == 400 ? 0 : 2));
    assertThat(server.get("/api/v1/types?type=b").body()).startsWith("{\"types\":[]");
  }

  static Stream<Arguments> badPushes() {
    return Stream.of(
        arguments("", "text/csv", 415, "Content-Type: 'text/csv', want one of " + JSON),
        arguments("", "application/xml", 415, "Content-Type: 'application/xml', want one of"),
        arguments("", JSON + "; charset=latin1", 415, ", in UTF-8"),
        arguments("?typ=a", NDJSON, 400, "parameter 'typ': unknown, want one of [type_field,"),
        arguments("?type=a&type=b", NDJSON, 400, "type: [a, b], want one value"),
        arguments("?type=", NDJSON, 400, "type: empty, want 1 to 256 bytes"),
        arguments("?type=" + "x".repeat(2048), NDJSON, 400, "type: 2048 bytes, at most 256"),
        arguments("?time_field=", NDJSON, 400, "time_field: 0 characters, want 1 to 256"));
  }

  @ParameterizedTest
  @MethodSource("badPushes")
  void badPushIsRefused(String query, String contentType, int status, String detail)
      throws Exception {
    double before = refused(status);
    HttpResponse<String> answer = server.post("/api/v1/events" + query, contentType, good);
    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(answer.headers().firstValue("content-type")).hasValue("application/problem+json");
    String told = new JsonObject(answer.body()).getString("detail");
    assertThat(told).contains(quoted(detail));
    assertThat(stored()).isZero();
    assertThat(refused(status)).isEqualTo(before + 1);
    assertThat(samples()).contains(told);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " "})
  void anEmptyIdempotencyKeyIsIgnored(String key) throws Exception {
    HttpResponse<String> answer =
        server.send(
            HttpRequest.newBuilder(server.uri("/api/v1/events"))
                .header("Content-Type", NDJSON)
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString(good)));
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.headers().firstValue("content-type")).hasValue("application/problem+json");
    assertThat(new JsonObject(answer.body()).getString("detail"))
        .startsWith("Idempotency-Key: empty, want a text")
        .endsWith("or leave the header out");
    assertThat(stored()).isZero();
  }

  /** The examples that the ledger keeps. */
  private static Stream<String> samples() throws Exception {
    return objects(new JsonObject(server.get("/api/v1/rejects").body()).getJsonArray("rejects"))
        .flatMap(reject -> objects(reject.getJsonArray("samples")))
        .map(sample -> sample.getString("reason"));
  }

  private static Stream<JsonObject> objects(JsonArray array) {
    return array.stream().map(JsonObject.class::cast);
  }

  /** How many requests were refused whole with a status. */
  private static double refused(int status) throws Exception {
    String reason = Map.of(400, "request", 413, "body_bytes", 415, "body_kind").get(status);
    String meter = "hourglass_ingest_rejects_total{reason=\"" + reason + "\"} ";
    return server
        .metrics()
        .lines()
        .filter(line -> line.startsWith(meter))
        .mapToDouble(line -> Double.parseDouble(line.substring(meter.length())))
        .sum();
  }

  @Test
  void rejectLedgerListsRefusals() throws Exception {
    push(NDJSON, quoted("{'type':'" + type + "','time':'ledger " + type + "'}"));
    assertThat(server.get("/api/v1/rejects").body()).contains("ledger " + type, type);
  }

  private long stored() throws IOException, InterruptedException {
    JsonObject hits =
        new JsonObject(server.get("/api/v1/types?type=" + URLEncoder.encode(type, UTF_8)).body());
    return hits.getJsonArray("types").isEmpty()
        ? 0
        : hits.getJsonArray("types").getJsonObject(0).getLong("count");
  }

  private static HttpResponse<String> push(String contentType, String body)
      throws IOException, InterruptedException {
    return push(contentType, body.getBytes(UTF_8));
  }

  private static HttpResponse<String> push(String contentType, byte[] body)
      throws IOException, InterruptedException {
    return server.send(
        HttpRequest.newBuilder(server.uri("/api/v1/events"))
            .header("Content-Type", contentType)
            .POST(BodyPublishers.ofByteArray(body)));
  }

  static String quoted(String text) {
    return text.replace('\'', '"');
  }
}
