package hourglass.ingest.protocols.loki;

import hourglass.access.Client;
import hourglass.access.FairExecutor;
import hourglass.bucketing.FixedShards;
import hourglass.bucketing.Hour;
import hourglass.bucketing.TimeUuidGenerator;
import hourglass.bucketing.shards.PlannerOptions;
import hourglass.ingest.decode.Body;
import hourglass.ingest.decode.BodyFormat;
import hourglass.ingest.decode.ConversionLimits;
import hourglass.ingest.decode.ConvertedEvents;
import hourglass.ingest.decode.FieldMapping;
import hourglass.ingest.decode.ItemRules;
import hourglass.ingest.protocols.loki.Pushes.Entry;
import hourglass.ingest.protocols.loki.Pushes.Stream;
import hourglass.ingest.service.FakeStore;
import hourglass.ingest.service.InFlightBudget;
import hourglass.ingest.service.IngestOptions;
import hourglass.ingest.service.IngestService;
import hourglass.ingest.service.PushReport;
import hourglass.ingest.service.SampleEvents;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Nanoseconds for an event on its way to the store, as our own NDJSON and as pushes of Loki of the
 * same events, in bodies of 5,000, on one thread. Run it with:
 *
 * <pre>
 * mvn -q -Dlint=off -pl ingest -am test -Dtest=LokiBenchmark -Dsurefire.failIfNoSpecifiedTests=false
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 4, time = 1)
@Fork(1)
public class LokiBenchmark {
  private static final int EVENTS = 5_000;
  private static final int BODIES = 32;
  private static final ConversionLimits LIMITS =
      new ConversionLimits(24 << 20, 40 << 20, 1 << 20, 64);

  /** Kind of the lines: objects of JSON, or text such as {@code level=info status=200}. */
  @Param({"json", "text"})
  public String lines;

  private final Body[] ndjson = new Body[BODIES];
  private final Body[] json = new Body[BODIES];
  private final Body[] protobuf = new Body[BODIES];
  private IngestService service;
  private InFlightBudget.Reservation reservation;
  private int next;

  @Setup
  public void makeBodies() {
    SampleEvents events = new SampleEvents(1, Hour.parse("2026-11-20T08").startTicks());
    for (int i = 0; i < BODIES; i++) {
      String own = new String(events.ndjson(EVENTS), StandardCharsets.UTF_8);
      List<Stream> streams = streams(own);
      ndjson[i] =
          Body.copyOf((lines.equals("json") ? own : asText(own)).getBytes(StandardCharsets.UTF_8));
      json[i] = Body.copyOf(Pushes.json(streams));
      protobuf[i] = Body.copyOf(Pushes.protobuf(streams));
    }
  }

  /** A stream for each type, as a client has one for each service. */
  private List<Stream> streams(String own) {
    Map<String, Stream> streams = new TreeMap<>();
    own.lines()
        .forEach(
            line -> {
              JsonObject event = new JsonObject(line);
              String type = (String) event.remove("type");
              Instant time = Instant.parse((String) event.remove("time"));
              long nanos = time.getEpochSecond() * 1_000_000_000 + time.getNano();
              Map<String, String> labels =
                  Map.of("service_name", type, "env", "production", "cluster", "eu-3");
              streams
                  .computeIfAbsent(type, key -> new Stream(labels, new ArrayList<>()))
                  .entries()
                  .add(new Entry(nanos, line(event), Map.of()));
            });
    return List.copyOf(streams.values());
  }

  private String line(JsonObject event) {
    return lines.equals("json") ? event.encode() : text(event);
  }

  private static String text(JsonObject event) {
    StringBuilder text = new StringBuilder();
    event.forEach(
        field -> text.append(' ').append(field.getKey()).append('=').append(field.getValue()));
    return text.substring(1);
  }

  private static String asText(String own) {
    StringBuilder all = new StringBuilder();
    own.lines()
        .forEach(
            line -> {
              JsonObject event = new JsonObject(line);
              JsonObject other = new JsonObject().put("type", event.remove("type"));
              other.put("time", event.remove("time"));
              all.append(other.put("message", text(event)).encode()).append('\n');
            });
    return all.toString();
  }

  @Setup(Level.Iteration)
  public void openService() {
    Clock clock = Clock.fixed(Instant.parse("2026-11-20T10:00:00Z"), ZoneOffset.UTC);
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
  @OperationsPerInvocation(EVENTS)
  public int ndjson() {
    return checked(
        service
            .ingest(
                ndjson[next()],
                BodyFormat.NDJSON,
                ItemRules.of(FieldMapping.DEFAULT),
                null,
                Client.open("test"),
                new PushReport(ItemRules.of(FieldMapping.DEFAULT), false))
            .toCompletableFuture()
            .join()
            .accepted());
  }

  /** The conversion alone. */
  @Benchmark
  @OperationsPerInvocation(EVENTS)
  public int convertJson() {
    ConvertedEvents events = events(json[next()]);
    new JsonPush(json[next], events).read();
    return checked(events.size());
  }

  /** The conversion alone. */
  @Benchmark
  @OperationsPerInvocation(EVENTS)
  public int convertProtobuf() {
    ConvertedEvents events = events(protobuf[next()]);
    new ProtobufPush(Snappy.unpack(protobuf[next]), events).read();
    return checked(events.size());
  }

  /** All of it, with the identity that is the default. */
  @Benchmark
  @OperationsPerInvocation(EVENTS)
  public int json() {
    ConvertedEvents events = events(json[next()]);
    new JsonPush(json[next], events).read();
    return ingest(events, json[next]);
  }

  @Benchmark
  @OperationsPerInvocation(EVENTS)
  public int protobuf() {
    ConvertedEvents events = events(protobuf[next()]);
    new ProtobufPush(Snappy.unpack(protobuf[next]), events).read();
    return ingest(events, protobuf[next]);
  }

  private ConvertedEvents events(Body body) {
    reservation = service.inFlight().reservation("benchmark");
    return new ConvertedEvents(reservation, body.length(), LIMITS);
  }

  private int ingest(ConvertedEvents events, Body body) {
    return checked(
        service
            .ingest(events, body, LokiPush.DEFAULTS.items(), "key", Client.open("test"))
            .toCompletableFuture()
            .join()
            .accepted());
  }

  private int checked(int events) {
    if (reservation != null) {
      reservation.release();
    }
    if (events != EVENTS) {
      throw new IllegalStateException("accepted " + events);
    }
    return events;
  }

  private int next() {
    next = (next + 1) % BODIES;
    return next;
  }

  @Test
  void run() throws Exception {
    new Runner(new OptionsBuilder().include(LokiBenchmark.class.getName()).build()).run();
  }
}
