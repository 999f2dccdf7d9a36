package hourglass.query.service;

import hourglass.query.Chunk;
import hourglass.query.EventQuery;
import hourglass.query.QueryOptions;
import hourglass.query.Selection;
import hourglass.query.encode.CsvTable;
import hourglass.query.encode.EventFormat;
import hourglass.store.Order;
import java.time.Clock;
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
    MillionEvents.write(store);
  }

  @Benchmark
  @OperationsPerInvocation(MillionEvents.EVENTS)
  public long hour() {
    EventQuery query = new EventQuery(Selection.ALL, order, EventQuery.ALL, null);
    return MillionEvents.read(service.events(query, format, CsvTable.STANDARD), chunk);
  }

  public static void main(String[] args) throws RunnerException {
    new Runner(new OptionsBuilder().include(StreamBenchmark.class.getSimpleName()).build()).run();
  }
}
