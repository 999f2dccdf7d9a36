package hourglass.ingest.protocols.otlp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import hourglass.bucketing.RowKey;
import hourglass.ingest.http.IngestServer;
import hourglass.store.OverloadedException;
import hourglass.store.UnavailableException;
import hourglass.testing.Patience;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceResponse;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceResponse;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.common.v1.KeyValueList;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.Sum;
import io.opentelemetry.proto.trace.v1.Span;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
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

/** Pushes over HTTP, their events and answers. */
class OtlpPushTest {
  private static final String JSON = "application/json";
  private static final String PROTOBUF = "application/x-protobuf";
  private static final String NANOS = "1763625600123456789";

  private static final String RECORD =
      """
      {"timeUnixNano":"%s","severityNumber":9,"severityText":"INFO","body":{"stringValue":"hello"},
       "eventName":"user.login","traceId":"5B8EFFF798038103D269B633813FC60C","spanId":"eee19b7ec3c1b174",
       "attributes":[{"key":"n","value":{"intValue":1}},{"key":"big","value":{"intValue":"9007199254740993"}},
         {"key":"user.id","value":{"stringValue":"a\\"b"}},
         {"key":"nested","value":{"kvlistValue":{"values":[{"key":"x","value":{"arrayValue":{"values":[{"intValue":1},{"boolValue":true}]}}}]}}},
         {"key":"raw","value":{"bytesValue":"AQI="}},{"key":"nan","value":{"doubleValue":"NaN"}},{"key":"none","value":{}}]}
      """
          .formatted(NANOS);

  private static final String PAYLOAD =
      "{\"body\":\"hello\",\"severity\":\"INFO\",\"severity_number\":9,\"event_name\":\"user.login\","
          + "\"trace_id\":\"5b8efff798038103d269b633813fc60c\",\"span_id\":\"eee19b7ec3c1b174\","
          + "\"attributes\":{\"n\":1,\"big\":9007199254740993,\"user.id\":\"a\\\"b\","
          + "\"nested\":{\"x\":[1,true]},\"raw\":\"AQI=\",\"nan\":\"NaN\",\"none\":null},"
          + "\"scope\":{\"name\":\"lg\",\"version\":\"1.0\"},"
          + "\"resource\":{\"service.name\":\"demo\"}}";

  private static IngestServer server;
  private static IngestServer keepingSpans;
  private static HttpClient client;

  @BeforeAll
  static void start() {
    server = new IngestServer(new Otlp(Otlp.DEFAULTS, false));
    keepingSpans = new IngestServer(new Otlp(Otlp.DEFAULTS, true));
    client = HttpClient.newHttpClient();
  }

  @AfterAll
  static void stop() {
    server.close();
    keepingSpans.close();
  }

  @BeforeEach
  void clear() {
    server.store.clear();
    server.store.answer(CompletableFuture.completedFuture(null));
    keepingSpans.store.clear();
  }

  private static HttpRequest.Builder request(IngestServer to, String path, byte[] body) {
    return HttpRequest.newBuilder(URI.create(to.url(path)))
        .timeout(Patience.LONGEST)
        .POST(BodyPublishers.ofByteArray(body));
  }

  private static HttpResponse<byte[]> send(HttpRequest.Builder request) {
    try {
      return client.send(request.build(), BodyHandlers.ofByteArray());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static HttpResponse<byte[]> push(String path, String contentType, byte[] body) {
    return send(request(server, path, body).header("Content-Type", contentType));
  }

  private static HttpResponse<byte[]> push(String json) {
    return push("/v1/logs", JSON, json.getBytes(UTF_8));
  }

  private static HttpResponse<byte[]> push(ExportLogsServiceRequest logs) {
    return push("/v1/logs", PROTOBUF, logs.toByteArray());
  }

  private static String text(HttpResponse<byte[]> response) {
    return new String(response.body(), UTF_8);
  }

  private static String logs(String... records) {
    return """
        {"resourceLogs":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"demo"}}]},
          "scopeLogs":[{"scope":{"name":"lg","version":"1.0"},"logRecords":[%s]}]}]}
        """
        .formatted(String.join(",", records));
  }

  private static ExportLogsServiceRequest protobuf(LogRecord... records) {
    ExportLogsServiceRequest.Builder request = ExportLogsServiceRequest.newBuilder();
    request.addResourceLogsBuilder().addScopeLogsBuilder().addAllLogRecords(List.of(records));
    return request.build();
  }

  private static List<String> types() {
    return server.store.rows().keySet().stream().map(RowKey::type).toList();
  }

  @Test
  void aRecordBecomesAnEvent() {
    HttpResponse<byte[]> response = push(logs(RECORD));
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("Content-Type")).hasValue(JSON);
    assertThat(text(response)).isEqualTo("{}");
    assertThat(server.store.payloads()).containsExactly(PAYLOAD);
    assertThat(server.store.rows().keySet().toString()).contains("20112508|demo");
  }

  @Test
  void snakeCaseNamesAreAccepted() {
    String snake =
        logs(RECORD)
            .replace("resourceLogs", "resource_logs")
            .replace("scopeLogs", "scope_logs")
            .replace("logRecords", "log_records")
            .replace("timeUnixNano", "time_unix_nano")
            .replace("severityNumber", "severity_number")
            .replace("severityText", "severity_text")
            .replace("eventName", "event_name")
            .replace("traceId", "trace_id")
            .replace("spanId", "span_id")
            .replace("stringValue", "string_value")
            .replace("intValue", "int_value")
            .replace("boolValue", "bool_value")
            .replace("doubleValue", "double_value")
            .replace("bytesValue", "bytes_value")
            .replace("kvlistValue", "kvlist_value")
            .replace("arrayValue", "array_value");
    assertThat(text(push(snake))).isEqualTo("{}");
    assertThat(server.store.payloads()).containsExactly(PAYLOAD);
  }

  @Test
  void fieldsAreAcceptedInAnyOrder() {
    String record =
        """
        {"logRecords":[{"attributes":[{"value":{"stringValue":"v"},"key":"k"}],"body":{"stringValue":"b"},"timeUnixNano":%s}],
         "unknown":{"a":[1,{}]},"scope":{"name":"lg"}}
        """
            .formatted(NANOS);
    push(
        "{\"resourceLogs\":[{\"scopeLogs\":[%s],\"resource\":{\"attributes\":[{\"key\":\"service.name\",\"value\":{\"stringValue\":\"late\"}}]}}]}"
            .formatted(record));
    assertThat(server.store.payloads())
        .containsExactly(
            "{\"body\":\"b\",\"attributes\":{\"k\":\"v\"},\"scope\":{\"name\":\"lg\"},"
                + "\"resource\":{\"service.name\":\"late\"}}");
    assertThat(types()).containsExactly("late");
  }

  @Test
  void protobufIsAnsweredWithAnEmptyMessage() {
    LogRecord record =
        LogRecord.newBuilder()
            .setTimeUnixNano(Long.parseLong(NANOS))
            .setSeverityNumberValue(18)
            .setBody(AnyValue.newBuilder().setStringValue("caf\u00e9 \"1\""))
            .build();
    HttpResponse<byte[]> response = push(protobuf(record));
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("Content-Type")).hasValue(PROTOBUF);
    assertThat(response.body()).isEmpty();
    assertThat(server.store.payloads())
        .containsExactly(
            "{\"body\":\"caf\u00e9 \\\"1\\\"\",\"severity\":\"ERROR2\",\"severity_number\":18}");
    assertThat(types()).containsExactly("unknown_service");
  }

  @Test
  void aRepeatedRequestAddsNothing() {
    push(logs(RECORD, RECORD));
    push(logs(RECORD, RECORD));
    assertThat(server.store.payloads()).hasSize(2);
    push("/otlp/v1/logs", JSON, logs(RECORD, RECORD).getBytes(UTF_8));
    assertThat(server.store.payloads()).hasSize(4); // another path is another sender
  }

  @Test
  void recordsWithTheSameUidAreOneEvent() {
    String uid =
        """
        {"timeUnixNano":"%s","body":{"stringValue":"%s"},"attributes":[{"key":"log.record.uid","value":{"stringValue":"u1"}}]}
        """;
    push(logs(uid.formatted(NANOS, "first")));
    push(logs(uid.formatted(NANOS, "second")));
    assertThat(server.store.payloads()).singleElement().asString().contains("second");
  }

  @Test
  void aUidWithoutAValueIsIgnored() {
    push(
        """
        {"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":1763625600000000000,"attributes":
          [{"key":"log.record.uid"},{"value":{"stringValue":"u1"}}]}]}]}]}
        """);
    push(
        """
        {"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":1763625600000000000,"attributes":
          [{"key":"log.record.uid"},{"value":{"stringValue":"u1"}},{"key":"n","value":{"intValue":2}}]}]}]}]}
        """);
    assertThat(server.store.payloads()).hasSize(2); // they are told apart by their bodies
  }

  @Test
  void aRecordWithoutATimeUsesItsObservedTime() {
    push(
        """
        {"resourceLogs":[{"scopeLogs":[{"logRecords":[
          {"timeUnixNano":0,"observedTimeUnixNano":1763625600000000000,"body":{"stringValue":"x"}}]}]}]}
        """);
    assertThat(server.store.rows().keySet().toString()).contains("20112508|unknown_service");
  }

  @ParameterizedTest
  @CsvSource({
    "9007199254740993, 9007199254740993",
    "1234567890123456789, 1234567890123456789",
    "9223372036854775807, 9223372036854775807",
    "9999999999999999999, -8446744073709551617", // has 64 bits without a sign
    "18446744073709551615, -1",
    "-9223372036854775808, -9223372036854775808",
    "1.2e3, 1200"
  })
  void integersAreReadWithAllTheirDigits(String number, String written) {
    for (String value : List.of(number, '"' + number + '"')) {
      server.store.clear();
      push(logs("{\"timeUnixNano\":\"" + NANOS + "\",\"severityNumber\":" + value + "}"));
      assertThat(server.store.payloads())
          .singleElement()
          .asString()
          .startsWith("{\"severity_number\":" + written + ",");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{\"resourceLogs\":[]}", "{\"resourceLogs\":null}", " {\"x\":1} "})
  void aRequestMayBeEmpty(String json) {
    HttpResponse<byte[]> response = push(json);
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(text(response)).isEqualTo("{}");
    assertThat(push("/v1/logs", PROTOBUF, new byte[0]).statusCode()).isEqualTo(200);
  }

  @Test
  void aCompressedBodyIsAccepted() throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(logs(RECORD).getBytes(UTF_8));
    }
    HttpResponse<byte[]> response =
        send(
            request(server, "/v1/logs", packed.toByteArray())
                .headers("Content-Type", JSON, "Content-Encoding", "gzip"));
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(server.store.payloads()).containsExactly(PAYLOAD);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"body\":\"no AnyValue\"}",
        "{\"timeUnixNano\":\"yesterday\"}",
        "{\"timeUnixNano\":1e99}",
        "{\"timeUnixNano\":18446744073709551616}",
        "{\"timeUnixNano\":-9223372036854775809}",
        "{\"timeUnixNano\":\"17956e70024044000000\"}",
        "{\"timeUnixNano\":1e-17956700240}",
        "{\"severityText\":5}",
        "{\"attributes\":{\"a\":1}}",
        "{\"attributes\":[5]}",
        "{\"attributes\":[{\"key\":5}]}",
        "{\"attributes\":[{\"key\":\"a\",\"value\":\"b\"}]}",
        "{\"attributes\":[{\"key\":\"a\",\"value\":{\"intValue\":true}}]}",
        "{\"attributes\":[{\"key\":\"a\",\"value\":{\"stringValue\":\"a\",\"intValue\":1}}]}",
        "{\"body\":{\"kvlistValue\":{\"values\":5}}}",
        "5",
        "\"a\""
      })
  void onlyTheBadRecordIsRefused(String bad) {
    HttpResponse<byte[]> response = push(logs(RECORD, bad, RECORD));
    assertThat(response.statusCode()).isEqualTo(200);
    JsonObject partial = new JsonObject(text(response)).getJsonObject("partialSuccess");
    assertThat(partial.getString("rejectedLogRecords")).isEqualTo("1");
    assertThat(partial.getString("errorMessage")).startsWith("record 1: record: ");
    assertThat(server.store.payloads()).containsExactly(PAYLOAD, PAYLOAD);
  }

  /** Returns UTF-8 with a byte that is none in place of each {@code ?}. */
  private static byte[] broken(byte[] utf8) {
    byte[] broken = utf8.clone();
    for (int i = 0; i < broken.length; i++) {
      broken[i] = broken[i] == '?' ? (byte) 0xff : broken[i];
    }
    return broken;
  }

  @Test
  void aRecordThatIsNotUtf8IsRefusedAlone() {
    String bad = "{\"body\":{\"stringValue\":\"a?b\"}}";
    byte[] body = broken(logs(RECORD, bad, RECORD).getBytes(UTF_8));
    assertThat(text(push("/v1/logs", JSON, body)))
        .contains("\"rejectedLogRecords\":\"1\"", "record 1: record: not UTF-8");
    assertThat(server.store.payloads()).containsExactly(PAYLOAD, PAYLOAD);
  }

  @Test
  void aTextOfProtobufThatIsNotUtf8IsRepaired() {
    AnyValue text = AnyValue.newBuilder().setStringValue("a?b").build();
    LogRecord record =
        LogRecord.newBuilder().setTimeUnixNano(Long.parseLong(NANOS)).setBody(text).build();
    HttpResponse<byte[]> answer =
        push("/v1/logs", PROTOBUF, broken(protobuf(record).toByteArray()));
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEmpty();
    assertThat(server.store.payloads()).containsExactly("{\"body\":\"a\ufffdb\"}");
  }

  private static AnyValue nested(int levels) {
    AnyValue value = AnyValue.newBuilder().setStringValue("inmost").build();
    for (int i = 0; i < levels; i++) {
      value =
          AnyValue.newBuilder()
              .setKvlistValue(
                  KeyValueList.newBuilder()
                      .addValues(KeyValue.newBuilder().setKey("a").setValue(value)))
              .build();
    }
    return value;
  }

  private static String nestedJson(int levels) {
    return "{\"body\":"
        + "{\"kvlistValue\":{\"values\":[{\"key\":\"a\",\"value\":".repeat(levels)
        + "{\"stringValue\":\"inmost\"}"
        + "}]}}".repeat(levels)
        + "}";
  }

  @ParameterizedTest
  @CsvSource({"63,0", "64,1", "300,1"})
  void onlyATooDeeplyNestedRecordIsRefused(int levels, int rejected)
      throws InvalidProtocolBufferException {
    LogRecord.Builder record = LogRecord.newBuilder().setTimeUnixNano(Long.parseLong(NANOS));
    HttpResponse<byte[]> response =
        push(protobuf(record.build(), record.setBody(nested(levels)).build()));
    assertThat(
            ExportLogsServiceResponse.parseFrom(response.body())
                .getPartialSuccess()
                .getRejectedLogRecords())
        .isEqualTo(rejected);
    assertThat(server.store.payloads()).hasSize(2 - rejected);
    String json = text(push(logs(RECORD, nestedJson(levels))));
    assertThat(json.contains("nested deeper than 64 levels")).isEqualTo(rejected > 0);
  }

  @Test
  void anUnreadableBodyIsRefusedWithAStatus() {
    HttpResponse<byte[]> json = push("{\"resourceLogs\":[{\"scopeLogs\":[}");
    assertThat(json.statusCode()).isEqualTo(400);
    assertThat(new JsonObject(text(json)).getInteger("code")).isEqualTo(3);
    assertThat(new JsonObject(text(json)).getString("message")).contains("not JSON at byte 31");
    HttpResponse<byte[]> protobuf = push("/v1/logs", PROTOBUF, new byte[] {0x0a, 100, 1});
    assertThat(protobuf.statusCode()).isEqualTo(400);
    assertThat(protobuf.headers().firstValue("Content-Type")).hasValue(PROTOBUF);
    assertThat(protobuf.body()).startsWith(0x08, 3, 0x12);
    assertThat(text(protobuf)).contains("not protobuf at byte 1");
    assertThat(server.store.payloads()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/plain", "application/x-ndjson"})
  void anotherContentTypeIsRefused(String contentType) {
    HttpResponse<byte[]> response = push("/v1/logs", contentType, new byte[] {1});
    assertThat(response.statusCode()).isEqualTo(415);
    assertThat(new JsonObject(text(response)).getString("message")).contains("x-protobuf");
  }

  @Test
  void temporaryFailuresAreAnsweredAsRetryable() {
    server.store.answer(
        CompletableFuture.failedFuture(
            new OverloadedException("too much", Duration.ofMillis(1500))));
    HttpResponse<byte[]> overload = push(logs(RECORD));
    assertThat(overload.statusCode()).isEqualTo(429);
    assertThat(overload.headers().firstValue("Retry-After")).hasValue("2");
    server.store.answer(CompletableFuture.failedFuture(new UnavailableException("away")));
    assertThat(push(logs(RECORD)).statusCode()).isEqualTo(503);
    server.store.answer(CompletableFuture.failedFuture(new IllegalStateException("a bug")));
    HttpResponse<byte[]> broken = push(logs(RECORD));
    assertThat(broken.statusCode()).isEqualTo(503);
    assertThat(broken.headers().firstValue("Retry-After")).hasValue("1");
  }

  private static ExportMetricsServiceRequest metrics() {
    NumberDataPoint point = NumberDataPoint.newBuilder().setAsInt(1).build();
    ExportMetricsServiceRequest.Builder request = ExportMetricsServiceRequest.newBuilder();
    request
        .addResourceMetricsBuilder()
        .addScopeMetricsBuilder()
        .addMetrics(
            Metric.newBuilder()
                .setGauge(Gauge.newBuilder().addDataPoints(point).addDataPoints(point)))
        .addMetrics(Metric.newBuilder().setSum(Sum.newBuilder().addDataPoints(point)));
    return request.build();
  }

  private static ExportTraceServiceRequest spans() {
    ExportTraceServiceRequest.Builder request = ExportTraceServiceRequest.newBuilder();
    request
        .addResourceSpansBuilder()
        .addScopeSpansBuilder()
        .addSpans(Span.newBuilder().setName("a"))
        .addSpans(Span.newBuilder().setName("b"));
    return request.build();
  }

  @Test
  void metricsAndSpansAreCountedButNotStored() throws InvalidProtocolBufferException {
    double before = server.service.rejects().stream().mapToDouble(r -> r.count()).sum();
    HttpResponse<byte[]> metrics = push("/v1/metrics", PROTOBUF, metrics().toByteArray());
    assertThat(metrics.statusCode()).isEqualTo(200);
    var partial = ExportMetricsServiceResponse.parseFrom(metrics.body()).getPartialSuccess();
    assertThat(partial.getRejectedDataPoints()).isEqualTo(3);
    assertThat(partial.getErrorMessage()).isEqualTo("metrics are not kept here");
    HttpResponse<byte[]> spans = push("/v1/traces", PROTOBUF, spans().toByteArray());
    assertThat(
            ExportTraceServiceResponse.parseFrom(spans.body())
                .getPartialSuccess()
                .getRejectedSpans())
        .isEqualTo(2);
    String json =
        """
        {"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"a","sum":{"dataPoints":[{},{}]}},
          {"exponentialHistogram":{"dataPoints":[{}]}}]}]}]}
        """;
    assertThat(text(push("/otlp/v1/metrics", JSON, json.getBytes(UTF_8))))
        .isEqualTo(
            "{\"partialSuccess\":{\"rejectedDataPoints\":\"3\",\"errorMessage\":\"metrics are not kept here\"}}");
    assertThat(server.service.rejects().stream().mapToDouble(r -> r.count()).sum() - before)
        .isEqualTo(8);
    assertThat(server.store.payloads()).isEmpty();
  }

  @Test
  void aSpanBecomesAnEventIfSpansAreKept() {
    String span =
        """
        {"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"shop"}}]},
          "scopeSpans":[{"scope":{"name":"http"},"spans":[{"traceId":"5b8efff798038103d269b633813fc60c",
            "spanId":"eee19b7ec3c1b174","parentSpanId":"","name":"GET /cart","kind":2,
            "startTimeUnixNano":"%s","endTimeUnixNano":"1763625600123999999",
            "attributes":[{"key":"http.status","value":{"intValue":"200"}}],
            "events":[{"timeUnixNano":"1763625600123456790","name":"e","attributes":[]}],
            "links":[{"traceId":"00","spanId":"01"}],
            "status":{"code":2,"message":"failed"}}]}]}]}
        """
            .formatted(NANOS);
    HttpResponse<byte[]> response =
        send(
            request(keepingSpans, "/v1/traces", span.getBytes(UTF_8)).header("Content-Type", JSON));
    assertThat(text(response)).isEqualTo("{}");
    assertThat(keepingSpans.store.payloads())
        .containsExactly(
            "{\"name\":\"GET /cart\",\"kind\":\"SERVER\",\"trace_id\":\"5b8efff798038103d269b633813fc60c\","
                + "\"span_id\":\"eee19b7ec3c1b174\",\"duration_ns\":543210,"
                + "\"status\":{\"code\":\"ERROR\",\"message\":\"failed\"},"
                + "\"attributes\":{\"http.status\":200},"
                + "\"events\":[{\"time\":\"2025-11-20T08:00:00.123456790Z\",\"name\":\"e\"}],"
                + "\"links\":[{\"span_id\":\"01\"}],\"scope\":{\"name\":\"http\"},"
                + "\"resource\":{\"service.name\":\"shop\"}}");
    send(
        request(keepingSpans, "/otlp/v1/traces", span.getBytes(UTF_8))
            .header("Content-Type", JSON));
    assertThat(keepingSpans.store.payloads()).hasSize(1); // the same span by another path
  }
}
