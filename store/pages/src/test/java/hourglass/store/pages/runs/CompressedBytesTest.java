package hourglass.store.pages.runs;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.testing.Seed;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompressedBytesTest {
  private static final int LEVEL = 1;
  private static final int COUNT_MAX = 100;

  private final Random random = Seed.random(this);

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 8})
  void valuesOfFewBitsRoundTrip(int bits) {
    try (CompressedBytes frames = new CompressedBytes(LEVEL)) {
      for (int count = 0; count < COUNT_MAX; count++) {
        byte[] values = new byte[count];
        for (int i = 0; i < count; i++) {
          values[i] = (byte) random.nextInt(1 << bits);
        }
        PageOutput out = new PageOutput();
        frames.writeBits(values, count, bits, out);
        byte[] target = new byte[random.nextInt(COUNT_MAX)];
        random.nextBytes(target);
        PageInput in = new PageInput(out.array(), 0, out.size());
        byte[] read = frames.readBits(in, "values", count, bits, target);
        in.finish();
        assertThat(Arrays.copyOf(read, count)).isEqualTo(values);
      }
    }
  }
}
