package hourglass.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Values that stand in arrays in many ways are those that were added. */
class RecordValuesTest {
  private static final byte BEHIND = 1;

  @Test
  void valuesAreWhatWasAddedHoweverTheyStand() {
    long first = new Random().nextLong();
    for (long seed = first; seed < first + 200; seed++) {
      try {
        check(new Random(seed));
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  private void check(Random random) {
    RecordValues.Builder builder = new RecordValues.Builder(random.nextInt(4), random.nextInt(40));
    List<byte[]> expected = new ArrayList<>();
    byte[] answer = new byte[1_000];
    int at = 0;
    int count = random.nextInt(20);
    for (int i = 0; i < count; i++) {
      byte[] value = new byte[random.nextInt(30)];
      random.nextBytes(value);
      if (random.nextInt(40) == 0) {
        answer = new byte[1_000];
        at = 0;
      }
      System.arraycopy(value, 0, answer, at, value.length);
      answer[at + value.length] = random.nextInt(60) == 0 ? BEHIND : 0;
      builder.add(ByteBuffer.wrap(answer, at, value.length));
      at += value.length + 1;
      expected.add(value);
      if (random.nextInt(40) == 0) {
        builder.copyWhatIsLent();
        assertThat(builder.lentBytes()).isZero();
      }
    }
    RecordValues values = builder.build();
    same(values, expected);
    same(values.copied(), expected);
    assertThat(values.copied().lentBytes()).isZero();
  }

  private static void same(RecordValues values, List<byte[]> expected) {
    int length = 0;
    for (int i = 0; i < expected.size(); i++) {
      assertThat(values.value(i)).isEqualTo(ByteBuffer.wrap(expected.get(i)));
      assertThat(values.body().bytes()[values.to(i)]).as("behind value %d", i).isZero();
      assertThat(values.to(i) + Body.PADDING).isLessThanOrEqualTo(values.body().bytes().length);
      length += expected.get(i).length + Body.PADDING;
    }
    assertThat(values.length()).isEqualTo(length);
  }

  @Test
  void aValueAtTheVeryEndOfItsArrayIsCopied() {
    byte[] array = new byte[10 + Body.PADDING - 1];
    assertThat(RecordValues.isZeroEnded(ByteBuffer.wrap(array, 0, 9))).isTrue();
    assertThat(RecordValues.isZeroEnded(ByteBuffer.wrap(array, 0, 10))).isFalse();
    assertThat(RecordValues.isZeroEnded(ByteBuffer.wrap(array, 0, 9).asReadOnlyBuffer())).isFalse();
  }
}
