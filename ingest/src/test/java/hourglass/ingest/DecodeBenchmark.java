package hourglass.ingest;

import hourglass.bucketing.FixedShards;
import hourglass.bucketing.Hour;
import hourglass.bucketing.TimeUuidGenerator;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * CPU seconds to decode, validate, identify and group a million events of about 170 bytes, in
 * bodies of 5,000, on one thread. Run it as a program; arguments: rounds (10).
 */
final class DecodeBenchmark {
  private static final int EVENTS = 1_000_000;
  private static final int BATCH = 5_000;

  private DecodeBenchmark() {}

  public static void main(String[] args) {
    int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 10;
    Hour hour = Hour.parse("2026-11-20T08");
    SampleEvents events = new SampleEvents(1, hour.startTicks());
    List<Body> bodies = new ArrayList<>();
    for (int i = 0; i < EVENTS / BATCH; i++) {
      bodies.add(Body.copyOf(events.ndjson(BATCH)));
    }
    long bytes = bodies.stream().mapToLong(Body::length).sum();
    for (String key : new String[] {"", "key"}) {
      for (int round = 0; round < rounds; round++) {
        double seconds = round(bodies, key.isEmpty() ? null : key);
        System.out.printf(
            "%s%.3f CPU s per million events of %d B, %.0f MB/s%n",
            key.isEmpty() ? "" : "Idempotency-Key: ",
            seconds,
            bytes / EVENTS,
            bytes / seconds / 1e6);
      }
    }
  }

  private static double round(List<Body> bodies, String key) {
    Clock clock = Clock.fixed(Instant.parse("2026-11-20T10:00:00Z"), ZoneOffset.UTC);
    FakeStore store = new FakeStore();
    store.keep(false);
    IngestService service =
        new IngestService(
            store,
            new FixedShards(1, Map.of()),
            new TimeUuidGenerator(clock),
            IngestOptions.DEFAULTS,
            Runnable::run,
            new SimpleMeterRegistry());
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long start = threads.getCurrentThreadCpuTime();
    long accepted = 0;
    for (Body body : bodies) {
      IngestRequest request = new IngestRequest(BodyFormat.NDJSON, FieldMapping.DEFAULT, key, body);
      accepted += service.ingest(request).toCompletableFuture().join().accepted();
    }
    if (accepted != EVENTS) {
      throw new IllegalStateException("accepted " + accepted);
    }
    return (threads.getCurrentThreadCpuTime() - start) / 1e9;
  }
}
