package hourglass.store.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.CorruptException;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Names round-trip; changed bytes are refused or read as some names in order. */
class NamesCodecTest {
  private static final int COUNT_MAX = 4_096;

  private final NamesCodec codec = new NamesCodec();

  @AfterEach
  void close() {
    codec.close();
  }

  @Test
  void namesRoundTrip() {
    for (long seed = 0; seed < 300; seed++) {
      Columns columns = new RandomColumns(seed).next(1_000);
      Columns names = codec.decode(codec.encode(columns), COUNT_MAX);
      assertThat(names.size()).as("seed %s", seed).isEqualTo(columns.size());
      for (int i = 0; i < names.size(); i++) {
        assertThat(names.id(i)).as("seed %s, name %s", seed, i).isEqualTo(columns.id(i));
        assertThat(names.length(i)).isZero();
      }
    }
  }

  @Test
  void generatedNamesUseFewBytes() {
    Columns columns = RandomColumns.of(1_000, i -> new byte[0]);
    assertThat(codec.encode(columns)).hasSizeLessThan(100);
    assertThat(codec.encode(columns.subColumns(7, 8))).hasSizeLessThan(64);
  }

  @Test
  void moreNamesThanExpectedAreRefused() {
    byte[] packed = codec.encode(RandomColumns.of(100, i -> new byte[0]));
    assertThatThrownBy(() -> codec.decode(packed, 99))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("100");
    assertThatThrownBy(() -> codec.encode(new ColumnsBuilder(0, 0).build()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void changedBytesNeverCrashTheDecoder() {
    int refused = 0;
    for (long seed = 0; seed < 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] packed = codec.encode(new RandomColumns(seed).next(300));
      for (int i = 0; i < 50; i++) {
        byte[] changed =
            Arrays.copyOf(
                packed, random.nextInt(4) == 0 ? random.nextInt(packed.length) : packed.length);
        if (changed.length > 0) {
          changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
        }
        try {
          assertThat(codec.decode(changed, COUNT_MAX).size()).isBetween(1, COUNT_MAX);
        } catch (CorruptException e) {
          refused++;
        }
      }
    }
    assertThat(refused).isGreaterThan(1_000);
  }
}
