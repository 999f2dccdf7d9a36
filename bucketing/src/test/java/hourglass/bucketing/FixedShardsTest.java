package hourglass.bucketing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import hourglass.testing.Seed;
import java.time.Clock;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FixedShardsTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");
  private static final int NAMES = 200_000;

  @Test
  void usesTheCountOfTheTypeElseTheDefault() {
    FixedShards shards = new FixedShards(1, Map.of("hot", 4, "warm", 2));
    assertThat(shardsOf(shards, "hot")).isEqualTo(4);
    assertThat(shardsOf(shards, "warm")).isEqualTo(2);
    assertThat(shardsOf(shards, "quiet")).isEqualTo(1);
    assertThat(shardsOf(new FixedShards(8, Map.of("hot", 1)), "quiet")).isEqualTo(8);
    assertThat(shardsOf(new FixedShards(8, Map.of("hot", 1)), "hot")).isEqualTo(1);
  }

  private static long shardsOf(FixedShards shards, String type) {
    return IntStream.range(0, 10_000)
        .map(i -> shards.shard(HOUR, type, HOUR.startTicks() + i, i))
        .distinct()
        .count();
  }

  @Test
  void aRepeatedNameHasTheSameShardAfterARestart() {
    Random random = Seed.random("FixedShardsTest");
    FixedShards shards = new FixedShards(7, Map.of());
    FixedShards afterRestart = new FixedShards(7, Map.of("other", 3));
    for (int i = 0; i < 10_000; i++) {
      long ticks = HOUR.startTicks() + random.nextInt();
      long lsb = random.nextLong();
      int shard = shards.shard(HOUR, "t", ticks, lsb);
      assertThat(shard).isBetween(0, 6);
      assertThat(afterRestart.shard(HOUR, "t", ticks, lsb)).isEqualTo(shard);
    }
  }

  /** Stored rows depend on these shards. */
  @Test
  void shardsMatchRecordedValues() {
    FixedShards shards = new FixedShards(16, Map.of());
    assertThat(
            IntStream.range(0, 16)
                .map(i -> shards.shard(HOUR, "t", HOUR.startTicks() + i, 1_000L * i))
                .toArray())
        .containsExactly(1, 11, 2, 1, 15, 4, 1, 5, 10, 6, 3, 9, 7, 7, 13, 4);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 8, 16, 100, 1024})
  void spreadsNamesEvenly(int count) {
    TimeUuidGenerator generator = new TimeUuidGenerator(Clock.systemUTC());
    long seed = new Identity().ofRequest("k", new byte[32]);
    long start = HOUR.startTicks();
    assertEven(count, i -> TimeUuid.first(start + i));
    assertEven(count, i -> TimeUuid.first(start + i * 1_000L));
    assertEven(count, i -> new TimeUuid(start, generator.nextLsb()));
    assertEven(count, i -> new TimeUuid(start + i, generator.nextLsb()));
    assertEven(count, i -> new TimeUuid(start + 31L * i, generator.nextLsb()));
    assertEven(count, i -> new TimeUuid(start + i / 1_000 * Ticks.PER_SECOND, generator.nextLsb()));
    assertEven(count, i -> new TimeUuid(start + i % 3, Identity.position(seed, i)));
  }

  /** Pearson's chi-square, within six standard deviations of chance. */
  private static void assertEven(int count, IntFunction<TimeUuid> names) {
    FixedShards shards = new FixedShards(count, Map.of());
    int[] columns = new int[count];
    for (int i = 0; i < NAMES; i++) {
      TimeUuid name = names.apply(i);
      columns[shards.shard(HOUR, "t", name.ticks(), name.lsb())]++;
    }
    double expected = (double) NAMES / count;
    double chiSquare =
        IntStream.of(columns).mapToDouble(n -> (n - expected) * (n - expected) / expected).sum();
    int freedom = count - 1;
    assertThat(chiSquare).isLessThan(freedom + 6 * Math.sqrt(2.0 * freedom) + 12);
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -2, 0, 1025})
  void refusesCountsOutOfRange(int count) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new FixedShards(count, Map.of()))
        .withMessageContainingAll(Integer.toString(count), "1 to 1024");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new FixedShards(1, Map.of("hot", count)))
        .withMessageContainingAll("hot", Integer.toString(count));
  }

  @Test
  void typesWithoutAFixedCountAreLeftToThePlanner() {
    FixedShards shards =
        new FixedShards(FixedShards.PLANNED, Map.of("fixed", 1, "planned", FixedShards.PLANNED));
    assertThat(shards.shard(HOUR, "any", HOUR.startTicks(), 1)).isEqualTo(FixedShards.PLANNED);
    assertThat(shards.shard(HOUR, "planned", HOUR.startTicks(), 1)).isEqualTo(FixedShards.PLANNED);
    assertThat(shards.shard(HOUR, "fixed", HOUR.startTicks(), 1)).isZero();
  }
}
