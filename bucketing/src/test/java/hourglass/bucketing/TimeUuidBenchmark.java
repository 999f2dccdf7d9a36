package hourglass.bucketing;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.time.Clock;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * What a column name costs, one at a time, of an hour with a million of them. Run it with:
 *
 * <pre>
 * mvn -q -Dlint=off -pl bucketing test -Dtest=TimeUuidBenchmark
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class TimeUuidBenchmark {
  private static final int NAMES = 1 << 12;
  private static final Hour HOUR = Hour.parse("2026-11-20T08");

  private final TimeUuidGenerator generator = new TimeUuidGenerator(Clock.systemUTC());
  private final Identity identity = new Identity();
  private final byte[] type = "checkout".getBytes(US_ASCII);
  private final byte[] source = "/shop/eu".getBytes(US_ASCII);
  private final byte[] id = "3f1c9c52-7a40-4b6e-9d0e-2f6d9a1b7c55".getBytes(US_ASCII);
  private final byte[] out = new byte[TimeUuid.TEXT_BYTES];
  private final long[] ticks = new long[NAMES + 1];
  private final long[] lsbs = new long[NAMES + 1];
  private final String[] texts = new String[NAMES];
  private int at;

  /** Six in ten names share their tick with the one before, as times in milliseconds do. */
  @Setup
  public void makeNames() {
    Random random = new Random(1);
    long tick = HOUR.startTicks();
    for (int i = 0; i <= NAMES; i++) {
      tick += random.nextInt(10) < 6 ? 0 : Ticks.PER_MILLI;
      ticks[i] = tick;
      lsbs[i] = generator.nextLsb();
    }
    for (int i = 0; i < NAMES; i++) {
      texts[i] = new TimeUuid(ticks[i], lsbs[i]).toString();
    }
  }

  private int next() {
    at = at + 1 & NAMES - 1;
    return at;
  }

  @Benchmark
  public int compare() {
    int i = next();
    return TimeUuid.compare(ticks[i], lsbs[i], ticks[i + 1], lsbs[i + 1]);
  }

  @Benchmark
  public byte[] writeText() {
    int i = next();
    TimeUuid.write(ticks[i], lsbs[i], out, 0);
    return out;
  }

  @Benchmark
  public TimeUuid parseText() {
    return TimeUuid.parse(texts[next()]);
  }

  @Benchmark
  public TimeUuid generateAtNow() {
    return generator.next();
  }

  @Benchmark
  public long generateForATime() {
    return generator.nextLsb();
  }

  @Benchmark
  public long identityOfId() {
    return identity.ofId(type, source, id, 0, id.length);
  }

  @Benchmark
  public long identityOfPosition() {
    return Identity.position(lsbs[0], next());
  }

  @Test
  void run() throws Exception {
    new Runner(new OptionsBuilder().include(TimeUuidBenchmark.class.getName()).build()).run();
  }
}
