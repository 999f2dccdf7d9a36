package hourglass.ingest.protocols.otlp;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.ByteString;
import hourglass.access.Client;
import hourglass.access.FairExecutor;
import hourglass.bucketing.FixedShards;
import hourglass.bucketing.TimeUuidGenerator;
import hourglass.bucketing.shards.PlannerOptions;
import hourglass.ingest.decode.Body;
import hourglass.ingest.decode.BodyFormat;
import hourglass.ingest.decode.ConversionLimits;
import hourglass.ingest.decode.ConvertedEvents;
import hourglass.ingest.decode.FieldMapping;
import hourglass.ingest.decode.IdentityRule;
import hourglass.ingest.decode.ItemRules;
import hourglass.ingest.service.FakeStore;
import hourglass.ingest.service.InFlightBudget;
import hourglass.ingest.service.IngestOptions;
import hourglass.ingest.service.IngestService;
import hourglass.ingest.service.PushReport;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.logs.v1.ScopeLogs;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Nanoseconds for a record on its way to the store, in requests of 2,000 records, on one thread;
 * and for the same events in NDJSON, with the payloads that the records become. Run it with:
 *
 * <pre>
 * mvn -q -Dlint=off -pl ingest -am test -Dtest=OtlpBenchmark -Dsurefire.failIfNoSpecifiedTests=false
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 4, time = 1)
@Fork(1)
public class OtlpBenchmark {
  private static final int RECORDS = 2_000;
  private static final int BODIES = 16;
  private static final ConversionLimits LIMITS =
      new ConversionLimits(1 << 24, 1 << 25, 1 << 20, 64);
  private static final long START_NANOS = 1_763_625_600_000_000_000L;
  private static final String[] LEVELS = {"INFO", "INFO", "INFO", "DEBUG", "WARN", "ERROR"};
  private static final int[] NUMBERS = {9, 9, 9, 5, 13, 17};
  private static final String[] PATHS = {"carts/sizes", "carts/prices", "items/stock", "search"};

  private final Body[] protobuf = new Body[BODIES];
  private final Body[] json = new Body[BODIES];
  private final Body[] ndjson = new Body[BODIES];
  private final ItemRules rules = Otlp.DEFAULTS.items();
  private final ItemRules ofNdjson = ItemRules.of(FieldMapping.DEFAULT).with(IdentityRule.BODY);
  private IngestService service;
  private int next;

  @Setup
  public void makeBodies() {
    Random random = new Random(1);
    for (int i = 0; i < BODIES; i++) {
      makeBody(i, random);
    }
  }

  private void makeBody(int body, Random random) {
    ExportLogsServiceRequest.Builder request = ExportLogsServiceRequest.newBuilder();
    request
        .addResourceLogsBuilder()
        .getResourceBuilder()
        .addAttributes(pair("service.name", text("shop")))
        .addAttributes(pair("service.version", text("1.4.2")))
        .addAttributes(pair("host.name", text("web-17.eu3.local")));
    ScopeLogs.Builder records = request.getResourceLogsBuilder(0).addScopeLogsBuilder();
    records.getScopeBuilder().setName("shop.web");
    StringBuilder otlp =
        new StringBuilder(
            "{\"resourceLogs\":[{\"resource\":{\"attributes\":["
                + pairJson("service.name", "stringValue", "\"shop\"")
                + ","
                + pairJson("service.version", "stringValue", "\"1.4.2\"")
                + ","
                + pairJson("host.name", "stringValue", "\"web-17.eu3.local\"")
                + "]},\"scopeLogs\":[{\"scope\":{\"name\":\"shop.web\"},\"logRecords\":[");
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < RECORDS; i++) {
      long nanos = START_NANOS + (body * RECORDS + i) * 1_000_000L;
      int level = random.nextInt(6);
      String path = "/api/" + PATHS[random.nextInt(4)] + '/' + random.nextInt(1000);
      double millis = random.nextInt(500) / 10.0;
      byte[] trace = new byte[16];
      byte[] span = new byte[8];
      random.nextBytes(trace);
      random.nextBytes(span);
      records.addLogRecords(
          LogRecord.newBuilder()
              .setTimeUnixNano(nanos)
              .setObservedTimeUnixNano(nanos)
              .setSeverityNumberValue(NUMBERS[level])
              .setSeverityText(LEVELS[level])
              .setBody(text("request served"))
              .setTraceId(ByteString.copyFrom(trace))
              .setSpanId(ByteString.copyFrom(span))
              .addAttributes(pair("url.path", text(path)))
              .addAttributes(pair("http.status", AnyValue.newBuilder().setIntValue(200).build()))
              .addAttributes(pair("ms", AnyValue.newBuilder().setDoubleValue(millis).build())));
      String traceHex = HexFormat.of().formatHex(trace);
      String spanHex = HexFormat.of().formatHex(span);
      otlp.append(i == 0 ? "" : ",")
          .append("{\"timeUnixNano\":\"" + nanos + "\",\"observedTimeUnixNano\":\"" + nanos + "\"")
          .append(",\"severityNumber\":" + NUMBERS[level] + ",\"severityText\":\"" + LEVELS[level])
          .append("\",\"body\":{\"stringValue\":\"request served\"},\"attributes\":[")
          .append(pairJson("url.path", "stringValue", '"' + path + '"') + ",")
          .append(pairJson("http.status", "intValue", "200") + ",")
          .append(pairJson("ms", "doubleValue", Double.toString(millis)) + "]")
          .append(",\"traceId\":\"" + traceHex + "\",\"spanId\":\"" + spanHex + "\"}");
      lines
          .append("{\"type\":\"shop\",\"time\":" + nanos + ",\"body\":\"request served\"")
          .append(",\"severity\":\"" + LEVELS[level] + "\",\"severity_number\":" + NUMBERS[level])
          .append(",\"trace_id\":\"" + traceHex + "\",\"span_id\":\"" + spanHex + '"')
          .append(
              String.format(
                  Locale.ROOT,
                  ",\"attributes\":{\"url.path\":\"%s\",\"http.status\":200,\"ms\":%s}",
                  path,
                  millis))
          .append(",\"scope\":{\"name\":\"shop.web\"},\"resource\":{\"service.name\":\"shop\",")
          .append("\"service.version\":\"1.4.2\",\"host.name\":\"web-17.eu3.local\"}}\n");
    }
    otlp.append("]}]}]}");
    protobuf[body] = Body.copyOf(request.build().toByteArray());
    json[body] = Body.copyOf(otlp.toString().getBytes(UTF_8));
    ndjson[body] = Body.copyOf(lines.toString().getBytes(UTF_8));
  }

  private static AnyValue text(String text) {
    return AnyValue.newBuilder().setStringValue(text).build();
  }

  private static KeyValue pair(String key, AnyValue value) {
    return KeyValue.newBuilder().setKey(key).setValue(value).build();
  }

  private static String pairJson(String key, String kind, String value) {
    return "{\"key\":\"%s\",\"value\":{\"%s\":%s}}".formatted(key, kind, value);
  }

  @Setup(Level.Iteration)
  public void openService() {
    Clock clock = Clock.fixed(Instant.parse("2025-11-20T10:00:00Z"), ZoneOffset.UTC);
    FakeStore store = new FakeStore();
    store.keep(false);
    service =
        new IngestService(
            store,
            new FixedShards(1, Map.of()),
            PlannerOptions.DEFAULTS,
            new TimeUuidGenerator(clock),
            IngestOptions.DEFAULTS,
            FairExecutor.over(Runnable::run),
            new SimpleMeterRegistry());
  }

  @Benchmark
  @OperationsPerInvocation(RECORDS)
  public int protobuf() {
    Body body = protobuf[next()];
    InFlightBudget.Reservation memory = service.inFlight().reservation("benchmark");
    ConvertedEvents events = events(body, memory);
    new ProtobufRecords(Signal.LOGS, body.bytes(), 0, body.length(), events).addEvents();
    return ingest(events, body, memory);
  }

  @Benchmark
  @OperationsPerInvocation(RECORDS)
  public int json() {
    Body body = json[next()];
    InFlightBudget.Reservation memory = service.inFlight().reservation("benchmark");
    ConvertedEvents events = events(body, memory);
    new JsonRecords(Signal.LOGS, body, events).addEvents();
    return ingest(events, body, memory);
  }

  private static ConvertedEvents events(Body body, InFlightBudget.Reservation memory) {
    return new ConvertedEvents(memory, body.length(), LIMITS);
  }

  private int ingest(ConvertedEvents events, Body body, InFlightBudget.Reservation memory) {
    int accepted =
        service
            .ingest(events, body, rules, "key", Client.open("test"))
            .toCompletableFuture()
            .join()
            .accepted();
    memory.release();
    return checked(accepted);
  }

  /** The same events, with the same rule of identity. */
  @Benchmark
  @OperationsPerInvocation(RECORDS)
  public int ndjson() {
    return checked(
        service
            .ingest(
                ndjson[next()],
                BodyFormat.NDJSON,
                ofNdjson,
                "key",
                Client.open("test"),
                new PushReport(ofNdjson, false))
            .toCompletableFuture()
            .join()
            .accepted());
  }

  private static int checked(int accepted) {
    if (accepted != RECORDS) {
      throw new IllegalStateException("accepted " + accepted);
    }
    return accepted;
  }

  private int next() {
    next = (next + 1) % BODIES;
    return next;
  }

  @Test
  void run() throws Exception {
    new Runner(new OptionsBuilder().include(OtlpBenchmark.class.getName()).build()).run();
  }
}
