package hourglass.query;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnsBuilder;
import hourglass.store.Mutation;
import hourglass.store.Order;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
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
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Merge and encoding of an hour of a million events of about 170 bytes in six rows, from memory:
 * nanoseconds an event, on one thread. Run {@link #main}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class StreamBenchmark {
  private static final int EVENTS = 1_000_000;
  private static final Hour HOUR = Hour.parse("2026-11-20T08");
  private static final String[] TYPES = {"checkout", "error", "login", "search", "ship", "view"};

  @Param({"NDJSON", "JSON", "RAW", "CSV"})
  public EventFormat format;

  @Param({"ASCENDING", "DESCENDING"})
  public Order order;

  private final PackedStore store = new PackedStore();
  private final QueryService service =
      new QueryService(store, QueryOptions.builder().build(), Clock.systemUTC(), Runnable::run);
  private final Chunk chunk = new Chunk(128 << 10);

  @Setup
  public void write() {
    Random random = new Random(1);
    List<ColumnsBuilder> rows = new ArrayList<>();
    for (int i = 0; i < TYPES.length; i++) {
      rows.add(new ColumnsBuilder(EVENTS / TYPES.length, 0));
    }
    for (int i = 0; i < EVENTS; i++) {
      long ticks = HOUR.startTicks() + i * (Ticks.PER_HOUR / EVENTS) + random.nextInt(1000);
      byte[] payload = payload(random).getBytes(StandardCharsets.UTF_8);
      // A skew: each type has about half as many events as the one before.
      int type = Math.min(TYPES.length - 1, Integer.numberOfTrailingZeros(random.nextInt()));
      TimeUuid name = new TimeUuid(ticks, random.nextLong());
      rows.get(type).add(name.ticks(), name.lsb(), payload, 0, payload.length);
    }
    for (int i = 0; i < TYPES.length; i++) {
      store.write(List.of(new Mutation(new RowKey(HOUR, TYPES[i], 0), rows.get(i).build())));
    }
  }

  private static String payload(Random random) {
    return ("{\"path\":\"/api/v1/items/%d\",\"status\":%d,\"ms\":%d,\"user\":\"u%08d\","
            + "\"host\":\"web-%02d.example.org\",\"agent\":\"Mozilla/5.0\",\"bytes\":%d,"
            + "\"ok\":%b,\"trace\":\"%016x\"}")
        .formatted(
            random.nextInt(10_000),
            200 + random.nextInt(300),
            random.nextInt(1000),
            random.nextInt(100_000_000),
            random.nextInt(100),
            random.nextInt(1 << 20),
            random.nextBoolean(),
            random.nextLong());
  }

  @Benchmark
  @OperationsPerInvocation(EVENTS)
  public long hour() {
    EventQuery query = new EventQuery(Selection.ALL, order, EventQuery.ALL, null);
    EventStream stream = service.events(query, format, CsvField.standard());
    long bytes = 0;
    Progress progress;
    do {
      chunk.clear();
      progress = stream.fill(chunk);
      bytes += chunk.length();
    } while (progress != Progress.DONE);
    return bytes;
  }

  public static void main(String[] args) throws RunnerException {
    new Runner(new OptionsBuilder().include(StreamBenchmark.class.getSimpleName()).build()).run();
  }
}
