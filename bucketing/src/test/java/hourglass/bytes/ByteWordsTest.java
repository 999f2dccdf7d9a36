package hourglass.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ByteWordsTest {
  @Test
  void aByteAtTheLimitIsFoundAtAnyPlace() {
    for (int length : new int[] {1, 7, 8, 9, 16, 19}) {
      for (int limit = 1; limit <= 256; limit++) {
        byte[] bytes = new byte[length];
        for (int at = 0; at < length; at++) {
          bytes[at] = (byte) (limit - 1);
          assertThat(ByteWords.areBelow(limit, bytes)).isTrue();
        }
        for (int at = 0; at < length && limit < 256; at++) {
          bytes[at] = (byte) (at % 2 == 0 ? limit : 255);
          assertThat(ByteWords.areBelow(limit, bytes)).isFalse();
          bytes[at] = 0;
          assertThat(ByteWords.areBelow(limit, bytes)).isTrue();
        }
      }
    }
  }
}
