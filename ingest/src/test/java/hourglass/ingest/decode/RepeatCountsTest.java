package hourglass.ingest.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RepeatCountsTest {
  @Test
  void memoryIsReservedAsTheTableGrows() {
    LimitedMemory memory = new LimitedMemory(Long.MAX_VALUE);
    RepeatCounts counts = new RepeatCounts(memory);
    for (long hash = 1; hash <= 100_000; hash++) {
      counts.seen(hash);
      long mostSlots = Math.max(64, 3 * hash + 3);
      assertThat(memory.held()).isLessThanOrEqualTo(12 * mostSlots);
    }
    assertThat(memory.held()).isEqualTo(12L << 18);
    assertThat(memory.peak()).isEqualTo(18L << 18);
    RepeatCounts limited = new RepeatCounts(new LimitedMemory(memory.peak() - 1));
    assertThatThrownBy(() -> LongStream.rangeClosed(1, 100_000).forEach(limited::seen))
        .hasMessage("too much");
  }

  @Test
  void countsAgreeWithAMap() {
    Random random = Seed.random(this);
    RepeatCounts counts = new RepeatCounts(new LimitedMemory(Long.MAX_VALUE));
    Map<Long, Integer> expected = new HashMap<>();
    for (int i = 0; i < Tier.length(30_000, 100_000, 1_000_000); i++) {
      // Some differ in their upper bits alone, and some are zero.
      long hash = (long) random.nextInt(20_000) << (random.nextBoolean() ? 40 : 0);
      long counted = hash == 0 ? 1 : hash;
      assertThat(counts.seen(hash)).isEqualTo(expected.merge(counted, 1, Integer::sum) - 1);
    }
  }
}
