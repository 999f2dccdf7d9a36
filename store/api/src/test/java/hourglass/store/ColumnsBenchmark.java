package hourglass.store;

import hourglass.bucketing.Hour;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuidGenerator;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
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
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * What it costs a column to be merged or sorted with 32,767 others, payloads of 170 bytes included.
 * Run it with:
 *
 * <pre>
 * mvn -q -Dlint=off -pl store/api -am test -Dtest=ColumnsBenchmark -Dsurefire.failIfNoSpecifiedTests=false
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ColumnsBenchmark {
  private static final int COLUMNS = 1 << 15;
  private static final int PAYLOAD_BYTES = 170;

  /** The order of columns in packs, and at a builder. */
  public enum LateArrival {
    IN_ORDER,
    /** In order, except for 2 %, which are up to 1,000 places late. */
    SOME_LATE,
    AT_RANDOM
  }

  @Param public LateArrival arrival;

  @Param({"2", "32"})
  public int packCount;

  private final byte[] payload = new byte[PAYLOAD_BYTES];
  private final long[] ticks = new long[COLUMNS];
  private final long[] lsbs = new long[COLUMNS];
  private List<Integer> order = List.of();
  private List<Columns> packs = List.of();

  @Setup
  public void arrange() {
    Random random = new Random(1);
    random.nextBytes(payload);
    TimeUuidGenerator generator = new TimeUuidGenerator(Clock.systemUTC());
    for (int i = 0; i < COLUMNS; i++) {
      ticks[i] = Hour.parse("2026-11-20T08").startTicks() + i / 10 * Ticks.PER_MILLI;
      lsbs[i] = generator.nextLsb();
    }
    order = lateArrivals(random);
    packs = new ArrayList<>();
    int size = COLUMNS / packCount;
    for (int from = 0; from < COLUMNS; from += size) {
      packs.add(pack(order.subList(from, from + size)));
    }
  }

  private List<Integer> lateArrivals(Random random) {
    Integer[] places = new Integer[COLUMNS];
    Arrays.setAll(places, i -> i);
    List<Integer> arrivals = Arrays.asList(places);
    if (arrival == LateArrival.AT_RANDOM) {
      Collections.shuffle(arrivals, random);
    } else if (arrival == LateArrival.SOME_LATE) {
      for (int i = 0; i < COLUMNS; i++) {
        if (random.nextInt(100) < 2) {
          Collections.swap(arrivals, i, Math.min(COLUMNS - 1, i + random.nextInt(1_000)));
        }
      }
    }
    return arrivals;
  }

  private Columns pack(List<Integer> numbers) {
    ColumnsBuilder builder = new ColumnsBuilder(numbers.size(), numbers.size() * PAYLOAD_BYTES);
    for (int number : numbers) {
      builder.add(ticks[number], lsbs[number], payload, 0, PAYLOAD_BYTES);
    }
    return builder.build();
  }

  @Benchmark
  @OperationsPerInvocation(COLUMNS)
  public Columns mergePacks() {
    return Columns.merge(packs);
  }

  @Benchmark
  @OperationsPerInvocation(COLUMNS)
  public int buildPacks() {
    int columns = 0;
    int size = COLUMNS / packCount;
    for (int from = 0; from < COLUMNS; from += size) {
      columns += pack(order.subList(from, from + size)).size();
    }
    return columns;
  }

  @Test
  void run() throws Exception {
    new Runner(new OptionsBuilder().include(ColumnsBenchmark.class.getName()).build()).run();
  }
}
