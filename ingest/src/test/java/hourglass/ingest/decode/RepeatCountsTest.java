package hourglass.ingest.decode;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.seed.Seed;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RepeatCountsTest {
  @Test
  void countsAsAMapDoes() {
    Random random = Seed.random(this);
    RepeatCounts counts = new RepeatCounts();
    Map<Long, Integer> expected = new HashMap<>();
    for (int i = 0; i < 100_000; i++) {
      // Some differ in their upper bits alone, and some are zero.
      long hash = (long) random.nextInt(20_000) << (random.nextBoolean() ? 40 : 0);
      long counted = hash == 0 ? 1 : hash;
      assertThat(counts.seen(hash)).isEqualTo(expected.merge(counted, 1, Integer::sum) - 1);
    }
  }
}
