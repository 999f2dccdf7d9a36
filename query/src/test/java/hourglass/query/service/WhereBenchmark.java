package hourglass.query.service;

import hourglass.query.Chunk;
import hourglass.query.EventQuery;
import hourglass.query.QueryOptions;
import hourglass.query.Selection;
import hourglass.query.TimeRange;
import hourglass.query.encode.CsvTable;
import hourglass.query.encode.EventFormat;
import hourglass.store.Order;
import java.time.Clock;
import java.util.TreeSet;
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
 * A filter over an hour of a million events, from memory, with merge and encoding: milliseconds an
 * hour, on one thread. Run {@link #main}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class WhereBenchmark {

  /** The share of the hour that an expression selects, and the data that it needs. */
  public enum Filter {
    /** 30 events, by a text. */
    RARE("data.path == \"/api/v1/items/77\" && data.status >= 400"),
    /** No event, by a text. */
    NONE("data.path.startsWith(\"/nowhere\")"),
    /** No event: the field is in none. */
    ABSENT("data.absent > 5"),
    /** Half of all, by a number: every payload is read. */
    HALF("data.status >= 350"),
    /** No event: the field is in all, and never a number. */
    MISFIT("data.path > 5"),
    /** An eighth, without the payload. */
    TYPE("type == \"login\""),
    /** A sixtieth, by three fields. */
    SEVERAL("data.status >= 400 && data.ms < 100 && data.ok"),
    /** A hundredth, by a regular expression. */
    REGEX("data.path.matches(\"^/api/v1/items/7[0-9]$\")"),
    /** Half of all, by arithmetic on two fields. */
    SUM("data.ms + data.status > 850"),
    /** No event: an error at each, since one number is an int and the other a double. */
    ERROR("data.ms * 2.0 > 5.0"),
    /** No event, by the library: a loop over a list of two. */
    LOOP("[data.ms, data.status].exists(n, n < 0)");

    private final String where;

    Filter(String where) {
      this.where = where;
    }

    String where() {
      return where;
    }
  }

  @Param public Filter filter;

  private final PackedStore store = new PackedStore();
  private final QueryService service =
      new QueryService(store, QueryOptions.builder().build(), Clock.systemUTC(), Runnable::run);
  private final Chunk chunk = new Chunk(128 << 10);

  @Setup
  public void write() {
    MillionEvents.write(store);
  }

  @Benchmark
  public long hour() {
    Selection selection = new Selection(new TreeSet<>(), TimeRange.ALL, "", filter.where);
    EventQuery query = new EventQuery(selection, Order.ASCENDING, EventQuery.ALL, null);
    return MillionEvents.read(service.events(query, EventFormat.NDJSON, CsvTable.STANDARD), chunk);
  }

  public static void main(String[] args) throws RunnerException {
    new Runner(new OptionsBuilder().include(WhereBenchmark.class.getSimpleName()).build()).run();
  }
}
