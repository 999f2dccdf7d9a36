package hourglass.query.service;

import hourglass.query.Grouping;
import hourglass.query.QueryOptions;
import hourglass.query.Selection;
import hourglass.query.StatsQuery;
import hourglass.query.TopQuery;
import java.time.Clock;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
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
 * Statistics of a field in an hour of a million events, from memory, with the merge: milliseconds
 * an hour, on one thread. Run {@link #main}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class FieldBenchmark {

  /** Fields with different numbers of distinct values. */
  @Param({
    /* a thousand numbers */ "ms",
    /* a million numbers */ "bytes",
    /* ten thousand texts */ "path",
    /* a text in each event of its own */ "trace",
    /* none */ "absent"
  })
  public String field;

  private final PackedStore store = new PackedStore();
  private final QueryService service =
      new QueryService(store, QueryOptions.builder().build(), Clock.systemUTC(), Runnable::run);

  @Setup
  public void write() {
    MillionEvents.write(store);
  }

  @Benchmark
  public Object stats() {
    StatsQuery query = new StatsQuery(Selection.ALL, field, Grouping.OF_TYPES, 0);
    return Answer.start(thread -> service.stats(query, false, thread))
        .toCompletableFuture()
        .join()
        .value();
  }

  @Benchmark
  public Object top() {
    TopQuery query = new TopQuery(Selection.ALL, field, 20, Grouping.NONE);
    return Answer.start(thread -> service.top(query, false, thread))
        .toCompletableFuture()
        .join()
        .value();
  }

  public static void main(String[] args) throws RunnerException {
    new Runner(new OptionsBuilder().include(FieldBenchmark.class.getSimpleName()).build()).run();
  }
}
