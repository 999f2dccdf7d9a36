package hourglass.bucketing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTrue;

import hourglass.testing.Seed;
import hourglass.testing.UtcClock;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class TimeUuidGeneratorTest {
  private static final Instant NOW = Instant.parse("2026-11-20T08:00:00Z");
  private static final Clock STOPPED = Clock.fixed(NOW, ZoneOffset.UTC);

  @Test
  void namesContainTheTimeOfReceipt() {
    TimeUuid name = new TimeUuidGenerator(STOPPED).next();
    assertThat(name.ticks()).isEqualTo(Ticks.of(NOW));
    assertThat(name.toUuid().version()).isEqualTo(1);
    assertThat(name.toUuid().variant()).isEqualTo(2);
  }

  @Test
  void namesAscendEvenIfTheClockStepsBack() {
    Random random = Seed.random("TimeUuidGeneratorTest");
    SteppingClock clock = new SteppingClock();
    TimeUuidGenerator generator = new TimeUuidGenerator(clock);
    TimeUuid last = generator.next();
    for (int i = 0; i < 200_000; i++) {
      clock.now = clock.now.plusNanos(random.nextInt(2_000_000) - 1_000_000);
      TimeUuid next = generator.next();
      assertTrue(next.compareTo(last) > 0);
      last = next;
    }
  }

  /** Otherwise an hour of events would get the time at which the clock was briefly ahead. */
  @Test
  void theTimeOfReceiptFollowsAClockSetBack() {
    SteppingClock clock = new SteppingClock();
    TimeUuidGenerator generator = new TimeUuidGenerator(clock);
    clock.now = NOW.plusSeconds(7_200);
    TimeUuid ahead = generator.next();
    clock.now = NOW;
    TimeUuid back = generator.next();
    assertThat(back.ticks()).isEqualTo(Ticks.of(NOW));
    clock.now = NOW.plusSeconds(7_200);
    assertThat(generator.next()).isNotIn(ahead, back).isGreaterThan(ahead);
    clock.now = NOW.plusSeconds(7_199);
    assertThat(generator.nowTicks()).isEqualTo(ahead.ticks());
  }

  /** The counter begins where wrapped numbers would break the order of creation. */
  @Test
  void namesOfOneTickSortInOrderOfCreation() {
    for (long start : new long[] {0, 0x7f, 0xff, -1, Long.MAX_VALUE, 1L << 59, (1L << 59) - 100}) {
      TimeUuidGenerator generator = new TimeUuidGenerator(STOPPED, start);
      TimeUuid last = generator.next();
      for (int i = 0; i < 100_000; i++) {
        TimeUuid next = generator.next();
        assertTrue(next.compareTo(last) > 0, () -> "from " + start + ": " + next);
        last = next;
      }
    }
  }

  @Test
  void reservedNumbersMakeNamesInTheirOrder() {
    TimeUuidGenerator generator = new TimeUuidGenerator(STOPPED);
    TimeUuid before = generator.next();
    long first = generator.reserve(1_000);
    TimeUuid after = generator.next();
    TimeUuid last = before;
    for (int i = 0; i < 1_000; i++) {
      TimeUuid name = new TimeUuid(Ticks.of(NOW), TimeUuidGenerator.lsb(first + i));
      assertThat(name).isGreaterThan(last);
      last = name;
    }
    assertThat(after).isGreaterThan(last);
  }

  @Test
  void threadsNeverMakeANameTwice() throws Exception {
    int perThread = 500_000;
    TimeUuidGenerator generator = new TimeUuidGenerator(STOPPED);
    Callable<long[]> oneByOne =
        () -> {
          long[] made = new long[perThread];
          for (int i = 0; i < perThread; i++) {
            made[i] = i % 2 == 0 ? generator.next().lsb() : generator.nextLsb();
          }
          return made;
        };
    Callable<long[]> inBatches =
        () -> {
          long[] made = new long[perThread];
          for (int i = 0; i < perThread; i += 100) {
            long first = generator.reserve(100);
            for (int j = 0; j < 100; j++) {
              made[i + j] = TimeUuidGenerator.lsb(first + j);
            }
          }
          return made;
        };
    assertDistinct(runAll(List.of(oneByOne, oneByOne, inBatches, inBatches)), 4 * perThread);
  }

  @Test
  void namesOfEachThreadGrow() throws Exception {
    TimeUuidGenerator generator = new TimeUuidGenerator(Clock.systemUTC());
    Callable<Boolean> growing =
        () -> {
          TimeUuid last = generator.next();
          for (int i = 0; i < 100_000; i++) {
            TimeUuid next = generator.next();
            assertTrue(next.compareTo(last) > 0);
            last = next;
          }
          return true;
        };
    assertThat(runAll(List.of(growing, growing, growing, growing))).doesNotContain(false);
  }

  @Test
  void restartsNeverMakeANameTwice() {
    List<long[]> made = new ArrayList<>();
    for (int start = 0; start < 100; start++) {
      TimeUuidGenerator generator = new TimeUuidGenerator(STOPPED);
      long[] names = new long[10_000];
      Arrays.setAll(names, i -> generator.nextLsb());
      made.add(names);
    }
    assertDistinct(made, 1_000_000);
  }

  @Test
  void processesNeverMakeANameTwice() throws Exception {
    List<long[]> made = new ArrayList<>();
    List<AnotherJvm> others =
        List.of(
            AnotherJvm.start(NamesOfAnotherJvm.class, "50000"),
            AnotherJvm.start(NamesOfAnotherJvm.class, "50000"));
    for (AnotherJvm other : others) {
      made.add(other.output().stream().mapToLong(Long::parseLong).toArray());
    }
    made.add(NamesOfAnotherJvm.make(50_000));
    assertDistinct(made, 150_000);
  }

  static final class NamesOfAnotherJvm {
    public static void main(String[] args) {
      for (long lsb : make(Integer.parseInt(args[0]))) {
        System.out.println(lsb);
      }
    }

    static long[] make(int count) {
      TimeUuidGenerator generator = new TimeUuidGenerator(STOPPED);
      long[] names = new long[count];
      Arrays.setAll(names, i -> generator.next().lsb());
      return names;
    }
  }

  private static void assertDistinct(List<long[]> made, int expected) {
    long[] all = made.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    assertThat(all).hasSize(expected);
    for (int i = 1; i < all.length; i++) {
      assertTrue(all[i - 1] != all[i], "made twice");
    }
  }

  private static <T> List<T> runAll(List<Callable<T>> tasks) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
    try {
      List<T> results = new ArrayList<>();
      for (Future<T> done : threads.invokeAll(tasks)) {
        results.add(done.get());
      }
      return results;
    } finally {
      threads.shutdownNow();
    }
  }

  private static final class SteppingClock extends UtcClock {
    private Instant now = NOW;

    @Override
    public Instant instant() {
      return now;
    }
  }
}
