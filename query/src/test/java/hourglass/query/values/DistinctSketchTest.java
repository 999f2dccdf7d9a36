package hourglass.query.values;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.testing.Seed;
import java.nio.ByteBuffer;
import java.util.Random;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class DistinctSketchTest {
  private final Random random = Seed.random(this);

  private static void add(DistinctSketch sketch, long value) {
    byte[] bytes = ByteBuffer.allocate(10).putLong(1, value).array();
    sketch.add(bytes, 1, 9);
  }

  @Test
  void fewValuesAreCountedExactly() {
    for (int distinct = 0; distinct <= 256; distinct += 32) {
      DistinctSketch sketch = new DistinctSketch();
      DistinctSketch other = new DistinctSketch();
      for (int i = 0; i < 3 * distinct; i++) {
        add(random.nextBoolean() ? sketch : other, i % distinct);
        add(sketch, i % distinct);
      }
      sketch.addAll(other);
      assertThat(sketch.count()).isEqualTo(distinct);
      assertThat(sketch.isExact()).isTrue();
    }
  }

  /** Values whose bytes are mostly negative once collided in their hashes. */
  @Test
  void bytesAboveAsciiAreHashedLikeOthers() {
    for (long first : new long[] {0x8080_8080_8080_8080L, -200_000, 0x7f80_7f80_7f80_7f80L}) {
      DistinctSketch sketch = new DistinctSketch();
      for (int i = 0; i < 100_000; i++) {
        add(sketch, first + i);
      }
      assertThat(sketch.count()).isCloseTo(100_000, Percentage.withPercentage(20));
    }
  }

  @Test
  void manyValuesAreEstimated() {
    for (int distinct : new int[] {257, 1_000, 100_000}) {
      DistinctSketch sketch = new DistinctSketch();
      DistinctSketch other = new DistinctSketch();
      long first = random.nextLong();
      for (int i = 0; i < distinct; i++) {
        add(i % 3 == 0 ? sketch : other, first + i);
        add(sketch, first + i / 2);
      }
      sketch.addAll(other);
      assertThat(sketch.count()).isCloseTo(distinct, Percentage.withPercentage(35));
      assertThat(sketch.isExact()).isFalse();
    }
  }
}
