package hourglass.program.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.program.ServerProcess;
import hourglass.testing.Tier;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files that people have, sent as {@code curl --data-binary @FILE} sends them, with the content
 * type of a form: each is stored with its own times, or the answer says in one line what to add.
 */
@Tag(Tier.IN_FIRST)
class FirstFilesIT {
  private static final String HALF_PAST_EIGHT = "2026-11-20T08:30:00.0000000Z";

  private static final String DPKG =
      """
      2026-11-20 08:30:00 startup archives unpack
      2026-11-20 08:30:01 install libssl3:amd64 <none> 3.0.15-1
      2026-11-20 08:30:02 status installed libssl3:amd64 3.0.15-1
      """;

  private static final String STACK_TRACE =
      """
      2026-11-20T08:30:00.000Z ERROR [main] shop.Cart - payment failed
      java.lang.IllegalStateException: no card
      \tat shop.Cart.pay(Cart.java:12)
      \tat shop.Main.main(Main.java:7)
      Caused by: java.io.IOException: closed
      \t... 2 more
      2026-11-20T08:30:00.000Z INFO [main] shop.Cart - trying again
      """;

  @TempDir static Path folder;
  private static ServerProcess server;

  @BeforeAll
  static void start() throws IOException {
    server = ServerProcess.start(folder);
  }

  @AfterAll
  static void stop() {
    assertThat(server.log()).doesNotContain(" ERROR ", "OutOfMemory");
    server.close();
  }

  private static JsonObject curl(String parameters, String body) throws Exception {
    return curl(parameters, body.getBytes(UTF_8));
  }

  private static JsonObject curl(String parameters, byte[] body) throws Exception {
    HttpResponse<String> answer =
        server.send(
            HttpRequest.newBuilder(server.uri("/api/v1/events" + parameters))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofByteArray(body)));
    JsonObject told = new JsonObject(answer.body());
    assertThat(told.getInteger("rejected")).as(answer.body()).isZero();
    assertThat(answer.statusCode()).isEqualTo(200);
    return told;
  }

  private static String first(JsonObject told) {
    return told.getJsonObject("times").getString("first");
  }

  private static JsonObject timeFields(JsonObject told) {
    assertThat(told.getInteger("untimed")).as(told.encode()).isNull();
    assertThat(told.getString("hint")).isNull();
    return told.getJsonObject("time_fields");
  }

  /** The messages of a type, in the order of an answer. */
  private static List<String> messages(String type) throws Exception {
    JsonArray events =
        new JsonObject(server.get("/api/v1/events?limit=1000&type=" + type).body())
            .getJsonArray("events");
    List<String> messages = new ArrayList<>();
    for (int i = 0; i < events.size(); i++) {
      messages.add(events.getJsonObject(i).getJsonObject("data").getString("message"));
    }
    return messages;
  }

  @Test
  void dpkgLogNeedsATimeZone() throws Exception {
    JsonObject told = curl("?default_type=dpkg", DPKG);
    assertThat(told.getInteger("untimed")).isEqualTo(3);
    assertThat(told.getString("hint"))
        .isEqualTo(
            "3 lines have a time without a zone, and got the time of receipt; add"
                + " time_zone=UTC, or the zone of the clock that wrote it, such as Europe/Berlin");
    assertThat(told.getJsonObject("suggested").encode()).isEqualTo("{\"time_zone\":\"UTC\"}");
    JsonObject again = curl("?default_type=dpkg2&time_zone=UTC", DPKG);
    assertThat(timeFields(again).encode()).isEqualTo("{\"message\":3}");
    assertThat(first(again)).isEqualTo(HALF_PAST_EIGHT);
    assertThat(messages("dpkg2")).isEqualTo(DPKG.lines().toList());
  }

  @Test
  void nginxAccessLogIsImportedWithItsTimes() throws Exception {
    String body =
        """
        10.0.0.7 - - [20/Nov/2026:08:30:00 +0000] "GET /cart HTTP/1.1" 200 512 "-" "curl/8.5"
        10.0.0.8 - ada [20/Nov/2026:09:30:01 +0100] "POST /pay HTTP/1.1" 502 0 "-" "Mozilla/5.0"
        """;
    JsonObject told = curl("?default_type=nginx", body);
    assertThat(timeFields(told).encode()).isEqualTo("{\"message\":2}");
    assertThat(told.getJsonObject("times").encode())
        .isEqualTo(
            "{\"first\":\"2026-11-20T08:30:00.0000000Z\",\"last\":\"2026-11-20T08:30:01.0000000Z\"}");
    assertThat(messages("nginx")).isEqualTo(body.lines().toList());
  }

  @Test
  void journalctlOutputNeedsATimeField() throws Exception {
    String body =
        """
        {"__CURSOR":"s=1;i=2","__REALTIME_TIMESTAMP":"1795163400000000","__MONOTONIC_TIMESTAMP":"1234567890","_PID":"1","MESSAGE":"started"}
        {"__CURSOR":"s=1;i=3","__REALTIME_TIMESTAMP":"1795163401000000","__MONOTONIC_TIMESTAMP":"1235567890","_PID":"1","MESSAGE":"stopped"}
        """;
    JsonObject told = curl("?default_type=journal", body);
    assertThat(told.getString("hint"))
        .isEqualTo(
            "2 events got the time of receipt, but \"__REALTIME_TIMESTAMP\" has a time; add"
                + " time_field=__REALTIME_TIMESTAMP");
    assertThat(told.getJsonObject("suggested").encode())
        .isEqualTo("{\"time_field\":\"__REALTIME_TIMESTAMP\"}");
    JsonObject again = curl("?default_type=journal2&time_field=__REALTIME_TIMESTAMP", body);
    assertThat(timeFields(again)).isNull();
    assertThat(first(again)).isEqualTo(HALF_PAST_EIGHT);
  }

  @Test
  void logfmtIsImportedWithItsTimes() throws Exception {
    String body =
        """
        time=2026-11-20T08:30:00Z level=info msg="listening on :8080"
        level=warn ts=1795163401.25 msg="slow query" ms=1200
        """;
    JsonObject told = curl("?default_type=logfmt", body);
    assertThat(timeFields(told).encode()).isEqualTo("{\"message\":2}");
    assertThat(first(told)).isEqualTo(HALF_PAST_EIGHT);
  }

  @Test
  void pinoIsImportedWithItsTimes() throws Exception {
    String body =
        """
        {"level":30,"time":1795163400000,"pid":7,"hostname":"web-1","msg":"listening"}
        {"level":50,"time":1795163401000,"pid":7,"hostname":"web-1","err":{"type":"Error","stack":"Error: closed\\n    at a.js:1"},"msg":"closed"}
        """;
    JsonObject told = curl("", body);
    assertThat(timeFields(told)).isNull();
    assertThat(first(told)).isEqualTo(HALF_PAST_EIGHT);
    assertThat(server.get("/api/v1/types?type=events").body()).contains("\"events\"");
  }

  @Test
  void logbackIsImportedWithItsTimes() throws Exception {
    String body =
        """
        {"@timestamp":"2026-11-20T09:30:00.000+01:00","@version":"1","message":"started","level":"INFO"}
        {"timestamp":"1795163401000","level":"WARN","message":"slow"}
        """;
    JsonObject told = curl("?default_type=logback", body);
    assertThat(timeFields(told).encode()).isEqualTo("{\"@timestamp\":1,\"timestamp\":1}");
    assertThat(first(told)).isEqualTo(HALF_PAST_EIGHT);
  }

  @Test
  void pythonLoggingNeedsATimeZone() throws Exception {
    String body =
        """
        2026-11-20 08:30:00,123 INFO shop.cart started
        2026-11-20 08:30:01,456 ERROR shop.cart failed
        Traceback (most recent call last):
          File "cart.py", line 12, in pay
        ValueError: no card
        """;
    JsonObject told = curl("?default_type=python", body);
    assertThat(told.getInteger("untimed")).isEqualTo(5);
    assertThat(told.getJsonObject("suggested").encode()).isEqualTo("{\"time_zone\":\"UTC\"}");
    JsonObject again = curl("?default_type=python2&time_zone=Europe/Berlin", body);
    assertThat(timeFields(again).encode()).isEqualTo("{\"message\":2}");
    assertThat(again.getInteger("followed")).isEqualTo(3);
    assertThat(first(again)).isEqualTo("2026-11-20T07:30:00.1230000Z");
    assertThat(messages("python2")).isEqualTo(body.lines().toList());
  }

  @Test
  void csvExportedAsJsonNeedsATimeField() throws Exception {
    String body =
        """
        [
          {"id": 1001, "date": "2026-11-20 08:30:00", "amount": "12.50"},
          {"id": 1002, "date": "2026-11-20 08:30:01", "amount": "7.00"}
        ]
        """;
    JsonObject told = curl("?default_type=csv", body);
    assertThat(told.getString("hint"))
        .isEqualTo(
            "2 events got the time of receipt, but \"date\" has a time without a zone; add"
                + " time_field=date and time_zone=UTC, or the zone of its clock, such as"
                + " Europe/Berlin");
    assertThat(told.getJsonObject("suggested").encode())
        .isEqualTo("{\"time_field\":\"date\",\"time_zone\":\"UTC\"}");
    JsonObject again = curl("?default_type=csv2&time_field=date&time_zone=UTC", body);
    assertThat(first(again)).isEqualTo(HALF_PAST_EIGHT);
    assertThat(again.getString("hint")).isNull();
  }

  @Test
  void gzippedFilesAreImported() throws Exception {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(DPKG.getBytes(UTF_8));
    }
    JsonObject told = curl("?default_type=gzip&time_zone=UTC", packed.toByteArray());
    assertThat(timeFields(told).encode()).isEqualTo("{\"message\":3}");
    assertThat(first(told)).isEqualTo(HALF_PAST_EIGHT);
  }

  @Test
  void stackTracesKeepTheirLines() throws Exception {
    JsonObject told = curl("?default_type=trace", STACK_TRACE);
    assertThat(timeFields(told).encode()).isEqualTo("{\"message\":2}");
    assertThat(told.getInteger("followed")).isEqualTo(5);
    assertThat(told.getJsonObject("times").getString("last")).isEqualTo(HALF_PAST_EIGHT);
    assertThat(messages("trace")).isEqualTo(STACK_TRACE.lines().toList());
    List<String> reversed = new ArrayList<>(STACK_TRACE.lines().toList());
    Collections.reverse(reversed);
    assertThat(messages("trace&order=desc")).isEqualTo(reversed);
  }

  @Test
  void dockerJsonFilesAreImportedWithTheirTimes() throws Exception {
    String body =
        """
        {"log":"listening\\n","stream":"stdout","time":"2026-11-20T08:30:00.000000001Z"}
        {"log":"closed\\n","stream":"stderr","time":"2026-11-20T08:30:01.5Z"}
        """;
    JsonObject told = curl("?default_type=docker", body);
    assertThat(timeFields(told)).isNull();
    assertThat(first(told)).isEqualTo(HALF_PAST_EIGHT);
  }

  /** A dry run stores nothing, counts nothing and keeps no sample. */
  @Test
  void aDryRunAnswersWithoutStoring() throws Exception {
    String body =
        "{\"type\":\"trial\"," + "\"timestamp\":\"2026-11-20T08:30:00Z\"}\n{\"type\":5}\n";
    String counted = counts();
    HttpResponse<String> answer =
        server.send(
            HttpRequest.newBuilder(server.uri("/api/v1/events?dry_run=true"))
                .POST(BodyPublishers.ofString(body)));
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body())
        .isEqualTo(
            "{\"accepted\":1,\"rejected\":1,\"dry_run\":true,\"time_fields\":{\"timestamp\":1},"
                + "\"times\":{\"first\":\"2026-11-20T08:30:00.0000000Z\","
                + "\"last\":\"2026-11-20T08:30:00.0000000Z\"},"
                + "\"errors\":[{\"index\":1,\"reason\":\"type: not a string: 5 (field \\\"type\\\")\","
                + "\"count\":1,\"indexes\":[1]}]}");
    assertThat(server.get("/api/v1/types?type=trial").body()).startsWith("{\"types\":[]");
    assertThat(counts()).isEqualTo(counted);
    assertThat(server.get("/api/v1/rejects").body()).doesNotContain("not a string: 5");
  }

  private static String counts() throws Exception {
    return server
        .metrics()
        .lines()
        .filter(line -> line.matches("hourglass_ingest_(events|bytes|rejects)_total.*"))
        .sorted()
        .toList()
        .toString();
  }
}
