package hourglass.ingest.service;

import hourglass.access.Client;
import hourglass.access.FairExecutor;
import hourglass.bucketing.FixedShards;
import hourglass.bucketing.Hour;
import hourglass.bucketing.TimeUuidGenerator;
import hourglass.bucketing.shards.PlannerOptions;
import hourglass.bytes.JsonScanner;
import hourglass.ingest.decode.Body;
import hourglass.ingest.decode.BodyFormat;
import hourglass.ingest.decode.FieldMapping;
import hourglass.ingest.decode.ItemRules;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Map;
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
 * Nanoseconds for an event of about 170 bytes on its way to the store, in NDJSON bodies of 5,000,
 * on one thread. Run it with:
 *
 * <pre>
 * mvn -q -Dlint=off -pl ingest -am test -Dtest=IngestBenchmark -Dsurefire.failIfNoSpecifiedTests=false
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class IngestBenchmark {
  private static final int EVENTS = 5_000;

  /** More bytes than a processor's cache holds, like bodies from sockets. */
  private static final int BODIES = 64;

  private static final int LEVELS_MAX = 64;

  /** Rows of an hour and type: one, or as many as a planner says. */
  @Param({"1", "-1"})
  public int shards;

  private final Body[] bodies = new Body[BODIES];
  private final byte[][] padded = new byte[BODIES][];
  private final JsonScanner scanner = new JsonScanner(LEVELS_MAX);
  private IngestService service;
  private int next;

  @Setup
  public void makeBodies() {
    SampleEvents events = new SampleEvents(1, Hour.parse("2026-11-20T08").startTicks());
    for (int i = 0; i < BODIES; i++) {
      byte[] lines = events.ndjson(EVENTS);
      padded[i] = Arrays.copyOf(lines, lines.length + Body.PADDING);
      bodies[i] = Body.ofPadded(padded[i], lines.length);
    }
    scanner.lines(true);
  }

  @Setup(Level.Iteration)
  public void openService() {
    Clock clock = Clock.fixed(Instant.parse("2026-11-20T10:00:00Z"), ZoneOffset.UTC);
    FakeStore store = new FakeStore();
    store.keep(false);
    service =
        new IngestService(
            store,
            new FixedShards(shards, Map.of()),
            PlannerOptions.DEFAULTS,
            new TimeUuidGenerator(clock),
            IngestOptions.DEFAULTS,
            FairExecutor.over(Runnable::run),
            new SimpleMeterRegistry());
  }

  /** The scan alone: is it JSON, and where does each event end. */
  @Benchmark
  @OperationsPerInvocation(EVENTS)
  public int scan() {
    Body body = bodies[next()];
    byte[] bytes = padded[next];
    int values = 0;
    for (int at = 0; at < body.length(); at++) {
      scanner.reset();
      at = scanner.value(bytes, at);
      values++;
    }
    if (values != EVENTS) {
      throw new IllegalStateException("scanned " + values);
    }
    return values;
  }

  /** All of it: scan, read type and time, name, and group by row. */
  @Benchmark
  @OperationsPerInvocation(EVENTS)
  public int ingest() {
    return ingest(null);
  }

  /** The same with names from the request's key, which hashes every body. */
  @Benchmark
  @OperationsPerInvocation(EVENTS)
  public int ingestWithKey() {
    return ingest("key");
  }

  private int ingest(String key) {
    Body body = bodies[next()];
    int accepted =
        service
            .ingest(
                body,
                BodyFormat.NDJSON,
                ItemRules.of(FieldMapping.DEFAULT),
                key,
                Client.open("test"),
                new PushReport(ItemRules.of(FieldMapping.DEFAULT), false))
            .toCompletableFuture()
            .join()
            .accepted();
    if (accepted != EVENTS) {
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
    new Runner(new OptionsBuilder().include(IngestBenchmark.class.getName()).build()).run();
  }
}
