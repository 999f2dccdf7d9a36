package hourglass.ingest.protocols.otlp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.UnknownFieldSet;
import hourglass.access.Limits;
import hourglass.access.Quotas;
import hourglass.ingest.http.IngestServer;
import hourglass.store.OverloadedException;
import hourglass.store.TooLargeException;
import hourglass.store.UnavailableException;
import hourglass.testing.Patience;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceResponse;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceResponse;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.trace.v1.Span;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls of gRPC over HTTP/2, their events and answers. */
class OtlpGrpcTest {
  private static final String PACKAGE = "/opentelemetry.proto.collector.";
  private static final String LOGS = PACKAGE + "logs.v1.LogsService/Export";
  private static final String TRACES = PACKAGE + "trace.v1.TraceService/Export";
  private static final String METRICS = PACKAGE + "metrics.v1.MetricsService/Export";

  private static final int INVALID_ARGUMENT = 3;
  private static final int RESOURCE_EXHAUSTED = 8;
  private static final int UNIMPLEMENTED = 12;
  private static final int UNAVAILABLE = 14;

  private static Vertx vertx;
  private static IngestServer server;
  private static HttpClient http1;
  private static HttpClient http2;

  /** Headers and trailers are one where there is no message. */
  private record Answer(int http, MultiMap headers, Buffer body, MultiMap trailers) {
    int code() {
      return Integer.parseInt(status().get("grpc-status"));
    }

    MultiMap status() {
      return headers.contains("grpc-status") ? headers : trailers;
    }

    String problem() {
      return headers.get("grpc-message");
    }

    byte[] message() {
      assertThat(http).isEqualTo(200);
      assertThat(headers.get("content-type")).isEqualTo("application/grpc");
      assertThat(headers.contains("grpc-status")).isFalse();
      assertThat(trailers.get("grpc-status")).as(headers.toString()).isEqualTo("0");
      assertThat(body.getByte(0)).isZero();
      assertThat(body.getInt(1)).isEqualTo(body.length() - 5);
      return body.getBytes(5, body.length());
    }

    void assertRefused(int code, long retrySeconds) throws InvalidProtocolBufferException {
      assertThat(http).isEqualTo(200);
      assertThat(headers.get("content-type")).isEqualTo("application/grpc");
      assertThat(body.length()).isZero();
      assertThat(trailers).isEmpty();
      assertThat(code()).as(problem()).isEqualTo(code);
      assertThat(retrySeconds()).isEqualTo(retrySeconds);
    }

    /** -1 without a RetryInfo. */
    private long retrySeconds() throws InvalidProtocolBufferException {
      String details = headers.get("grpc-status-details-bin");
      if (details == null) {
        return -1;
      }
      UnknownFieldSet status = UnknownFieldSet.parseFrom(Base64.getDecoder().decode(details));
      assertThat(status.getField(1).getVarintList()).containsExactly((long) code());
      Any any = Any.parseFrom(status.getField(3).getLengthDelimitedList().get(0));
      assertThat(any.getTypeUrl()).isEqualTo("type.googleapis.com/google.rpc.RetryInfo");
      ByteString delay =
          UnknownFieldSet.parseFrom(any.getValue()).getField(1).getLengthDelimitedList().get(0);
      return Duration.parseFrom(delay).getSeconds();
    }
  }

  @BeforeAll
  static void start() {
    vertx = Vertx.vertx();
    server = IngestServer.withHttp2(new Otlp(Otlp.DEFAULTS, false));
    http1 = vertx.createHttpClient();
    http2 =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false));
  }

  @AfterAll
  static void stop() {
    await(vertx.close());
    server.close();
  }

  @BeforeEach
  void clear() {
    server.store.clear();
    answer(CompletableFuture.completedFuture(null));
    server.limit(new Quotas(Limits.NONE, System::nanoTime, limit -> {}));
  }

  private static void answer(CompletableFuture<Void> store) {
    server.store.answer(store);
  }

  private static <T> T await(Future<T> future) {
    return future
        .toCompletionStage()
        .toCompletableFuture()
        .orTimeout(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS)
        .join();
  }

  private static Answer send(HttpClient client, String path, Buffer body, String... headers) {
    return await(
        client
            .request(HttpMethod.POST, server.port(), "127.0.0.1", path)
            .compose(
                request -> {
                  request.putHeader("te", "trailers");
                  request.putHeader("content-type", "application/grpc");
                  for (int i = 0; i < headers.length; i += 2) {
                    request.putHeader(headers[i], headers[i + 1]);
                  }
                  return request.send(body).compose(OtlpGrpcTest::read);
                }));
  }

  private static Future<Answer> read(HttpClientResponse response) {
    return response
        .body()
        .map(
            body ->
                new Answer(response.statusCode(), response.headers(), body, response.trailers()));
  }

  private static Answer call(String path, Buffer body, String... headers) {
    return send(http2, path, body, headers);
  }

  private static Answer export(MessageLite logs, String... headers) {
    return call(LOGS, framed(0, logs.toByteArray()), headers);
  }

  private static Buffer framed(int flag, byte[] message) {
    return Buffer.buffer().appendByte((byte) flag).appendInt(message.length).appendBytes(message);
  }

  private static byte[] gzip(byte[] bytes) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(bytes);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return packed.toByteArray();
  }

  private static LogRecord record(String body) {
    return LogRecord.newBuilder()
        .setTimeUnixNano(1763625600123456789L)
        .setBody(AnyValue.newBuilder().setStringValue(body))
        .build();
  }

  private static ExportLogsServiceRequest logs(LogRecord... records) {
    ExportLogsServiceRequest.Builder request = ExportLogsServiceRequest.newBuilder();
    request
        .addResourceLogsBuilder()
        .addScopeLogsBuilder()
        .addAllLogRecords(Stream.of(records).toList());
    return request.build();
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/grpc", "application/grpc+proto", "Application/gRPC; a=b"})
  void aRecordBecomesAnEvent(String contentType) {
    Answer answer = export(logs(record("hello")), "content-type", contentType);
    assertThat(answer.message()).isEmpty();
    assertThat(server.store.payloads()).containsExactly("{\"body\":\"hello\"}");
    assertThat(server.store.rows().keySet().toString()).contains("20112508|unknown_service");
  }

  @Test
  void aRepeatedCallAddsNothing() {
    export(logs(record("a"), record("b")));
    export(logs(record("a"), record("b")));
    assertThat(server.store.payloads()).hasSize(2);
  }

  @Test
  void anExportMayBeEmpty() {
    assertThat(export(logs()).message()).isEmpty();
    assertThat(call(LOGS, framed(0, new byte[0])).message()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5_000})
  void aCompressedMessageIsAccepted(int records) {
    LogRecord[] all =
        Stream.iterate(0, i -> i + 1)
            .limit(records)
            .map(i -> record("n" + i))
            .toArray(LogRecord[]::new);
    Buffer packed = framed(1, gzip(logs(all).toByteArray()));
    assertThat(call(LOGS, packed, "grpc-encoding", "gzip").message()).isEmpty();
    assertThat(server.store.payloads()).hasSize(records);
  }

  @Test
  void anUncompressedMessageIsAcceptedDespiteAnEncoding() {
    assertThat(export(logs(record("plain")), "grpc-encoding", "gzip").message()).isEmpty();
    assertThat(server.store.payloads()).hasSize(1);
  }

  @Test
  void otherEncodingsAreNotImplemented() throws InvalidProtocolBufferException {
    Answer answer = call(LOGS, framed(1, new byte[9]), "grpc-encoding", "br");
    answer.assertRefused(UNIMPLEMENTED, -1);
    assertThat(answer.problem()).contains("grpc-encoding: \"br\"");
    assertThat(answer.headers().get("grpc-accept-encoding")).contains("gzip");
  }

  private static Stream<Arguments> broken() {
    byte[] logs = logs(record("a")).toByteArray();
    Buffer whole = framed(0, logs);
    return Stream.of(
        Arguments.of("no message", Buffer.buffer(), "no message"),
        Arguments.of("a part of a prefix", whole.slice(0, 4), "no message"),
        Arguments.of("a message that is cut", whole.slice(0, whole.length() - 1), "want one"),
        Arguments.of(
            "two messages", Buffer.buffer().appendBuffer(whole).appendBuffer(whole), "want one"),
        Arguments.of(
            "a negative length", Buffer.buffer(new byte[] {0, -1, -1, -1, -1}), "4294967295"),
        Arguments.of("an unknown flag", framed(2, logs), "flag 2"),
        Arguments.of("no gzip", framed(1, logs), "grpc-encoding: \"gzip\", but the message is not"),
        Arguments.of(
            "no protobuf", framed(0, new byte[] {0x0a, 100, 1}), "not protobuf at byte 6"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("broken")
  void anUnreadableBodyIsAnInvalidArgument(String what, Buffer body, String problem)
      throws InvalidProtocolBufferException {
    Answer answer = call(LOGS, body, "grpc-encoding", "gzip");
    answer.assertRefused(INVALID_ARGUMENT, -1);
    assertThat(answer.problem()).contains(problem);
    assertThat(server.store.payloads()).isEmpty();
  }

  @Test
  void aRefusedRecordIsAPartialSuccess() throws InvalidProtocolBufferException {
    Answer answer = export(logs(record("a"), record("x".repeat(1 << 16))));
    var partial = ExportLogsServiceResponse.parseFrom(answer.message()).getPartialSuccess();
    assertThat(partial.getRejectedLogRecords()).isEqualTo(1);
    assertThat(partial.getErrorMessage()).startsWith("record 1: ");
    assertThat(server.store.payloads()).hasSize(1);
  }

  @Test
  void metricsAndSpansAreCountedButNotStored() throws InvalidProtocolBufferException {
    ExportTraceServiceRequest.Builder spans = ExportTraceServiceRequest.newBuilder();
    spans.addResourceSpansBuilder().addScopeSpansBuilder().addSpans(Span.newBuilder().setName("a"));
    byte[] ofSpans = call(TRACES, framed(0, spans.build().toByteArray())).message();
    assertThat(ExportTraceServiceResponse.parseFrom(ofSpans).getPartialSuccess().getRejectedSpans())
        .isEqualTo(1);
    ExportMetricsServiceRequest.Builder metrics = ExportMetricsServiceRequest.newBuilder();
    Gauge gauge =
        Gauge.newBuilder().addDataPoints(NumberDataPoint.newBuilder().setAsInt(1)).build();
    metrics
        .addResourceMetricsBuilder()
        .addScopeMetricsBuilder()
        .addMetrics(Metric.newBuilder().setGauge(gauge));
    byte[] ofMetrics = call(METRICS, framed(0, metrics.build().toByteArray())).message();
    var partial = ExportMetricsServiceResponse.parseFrom(ofMetrics).getPartialSuccess();
    assertThat(partial.getRejectedDataPoints()).isEqualTo(1);
    assertThat(partial.getErrorMessage()).isEqualTo("metrics are not kept here");
  }

  @Test
  void temporaryFailuresAreAnsweredAsRetryable() throws InvalidProtocolBufferException {
    answer(
        CompletableFuture.failedFuture(
            new OverloadedException("too much", java.time.Duration.ofMillis(1500))));
    export(logs(record("a"))).assertRefused(RESOURCE_EXHAUSTED, 2);
    answer(CompletableFuture.failedFuture(new UnavailableException("50% away: \u00e9")));
    Answer away = export(logs(record("a")));
    away.assertRefused(UNAVAILABLE, 5);
    assertThat(away.problem()).isEqualTo("50%25 away: %C3%A9");
    answer(CompletableFuture.failedFuture(new IllegalStateException("a bug")));
    export(logs(record("a"))).assertRefused(UNAVAILABLE, 1);
  }

  @Test
  void tooLargeCallsAreAnsweredAsNotRetryable() throws InvalidProtocolBufferException {
    byte[] large = new byte[IngestServer.MAX_BODY_BYTES + 1];
    call(LOGS, framed(0, large)).assertRefused(RESOURCE_EXHAUSTED, -1);
    Answer bomb = call(LOGS, framed(1, gzip(large)), "grpc-encoding", "gzip");
    bomb.assertRefused(RESOURCE_EXHAUSTED, -1);
    assertThat(bomb.problem()).contains("unpacked");
    answer(CompletableFuture.failedFuture(new TooLargeException("for ever")));
    export(logs(record("a"))).assertRefused(RESOURCE_EXHAUSTED, -1);
    answer(CompletableFuture.completedFuture(null));
    assertThat(export(logs(record("a"))).message()).isEmpty();
    assertThat(server.service.inFlight().used()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"application/grpc-web", "application/grpc+json", "application/x-protobuf"})
  void otherContentTypesAreRefused(String contentType) {
    Answer answer = export(logs(record("a")), "content-type", contentType);
    assertThat(answer.http()).isEqualTo(415);
    assertThat(answer.headers().contains("grpc-status")).isFalse();
  }

  @Test
  void http1ClientsAreReferredToTheHttpEndpoint() {
    Answer answer = send(http1, LOGS, framed(0, logs(record("a")).toByteArray()));
    assertThat(answer.http()).isEqualTo(505);
    assertThat(answer.body().toString(UTF_8)).contains("send to /v1/logs");
    Answer path = send(http1, "/v1/logs", framed(0, logs(record("a")).toByteArray()));
    assertThat(path.http()).isEqualTo(415);
    assertThat(server.store.payloads()).isEmpty();
  }
}
