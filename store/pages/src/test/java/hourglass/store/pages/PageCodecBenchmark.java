package hourglass.store.pages;

import hourglass.store.Columns;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Pages of 1,500 events of about 170 bytes and eight fields: nanoseconds an event, on one thread.
 * Run it with:
 *
 * <pre>
 * mvn -q -Dlint=off -pl store/pages -am test -Dtest=PageCodecBenchmark -Dsurefire.failIfNoSpecifiedTests=false
 * </pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PageCodecBenchmark {
  private static final int EVENTS = 1_500;

  /** More pages than a processor's cache holds, as when a store is written or read. */
  private static final int PAGES = 64;

  @Param({"1", "3"})
  public int level;

  /** How many ids paths end in: few make a dictionary, many do not. */
  @Param({"8", "1000"})
  public int ids;

  private PageCodec codec = new PageCodec();
  private final Columns[] pages = new Columns[PAGES];
  private final byte[][] encoded = new byte[PAGES][];
  private int next;

  @Setup
  public void prepare() {
    codec = new PageCodec(level, true);
    List<Columns> rows =
        EventFile.pages(GeneratedEvents.lines(PAGES * EVENTS * 2, ids, 1), "type", "time").stream()
            .filter(page -> page.size() >= EVENTS) // the last one of a type is a short one
            .toList();
    for (int p = 0; p < PAGES; p++) {
      pages[p] = rows.get(p).subColumns(0, EVENTS);
      encoded[p] = codec.encode(pages[p]);
    }
  }

  @TearDown
  public void close() {
    codec.close();
  }

  @Benchmark
  @OperationsPerInvocation(EVENTS)
  public byte[] encode() {
    return codec.encode(pages[next()]);
  }

  @Benchmark
  @OperationsPerInvocation(EVENTS)
  public Columns decode() {
    return codec.decode(encoded[next()]);
  }

  @Benchmark
  @OperationsPerInvocation(EVENTS)
  public Columns decodeNames() {
    return codec.decodeNames(encoded[next()]);
  }

  @Benchmark
  public PageHeader header() {
    return PageHeader.read(encoded[next()]);
  }

  private int next() {
    next = (next + 1) % PAGES;
    return next;
  }

  @Test
  void run() throws Exception {
    new Runner(new OptionsBuilder().include(PageCodecBenchmark.class.getName()).build()).run();
  }
}
