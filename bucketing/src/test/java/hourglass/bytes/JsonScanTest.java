package hourglass.bytes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.testing.Seed;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class JsonScanTest {
  private static final char[] CHARACTERS = {'\\', '"', '!', '#', '[', ']', 'x', 'é', 'Ü', '¢'};

  @Test
  void escapesAreFoundAtAnyPlace() {
    for (int length = 0; length < 40; length++) {
      for (int at = 0; at < length; at++) {
        byte[] bytes = "é".repeat(40).getBytes(StandardCharsets.ISO_8859_1);
        bytes[at] = '\\';
        assertThat(JsonScan.hasEscape(bytes, 0, length)).isTrue();
        assertThat(JsonScan.hasEscape(bytes, 0, at)).isFalse();
        assertThat(JsonScan.hasEscape(bytes, at + 1, 40)).isFalse();
      }
    }
  }

  @Test
  void stringsEndAtTheFirstUnescapedQuote() {
    Random random = Seed.random(this);
    for (int n = 0; n < 20_000; n++) {
      StringBuilder text = new StringBuilder("\"");
      for (int left = random.nextInt(30); left > 0; left--) {
        char plain = CHARACTERS[2 + random.nextInt(CHARACTERS.length - 2)];
        text.append(random.nextInt(4) > 0 ? plain : CHARACTERS[random.nextInt(CHARACTERS.length)]);
      }
      byte[] bytes = text.append("\"\"\"").toString().getBytes(StandardCharsets.ISO_8859_1);
      int to = bytes.length - random.nextInt(4);
      int end = end(bytes, to);
      if (end > to) {
        assertThatThrownBy(() -> JsonScan.skipString(bytes, 0, to))
            .as("%s, %s bytes", text, to)
            .isInstanceOf(IllegalArgumentException.class);
      } else {
        assertThat(JsonScan.skipString(bytes, 0, to)).as("%s, %s bytes", text, to).isEqualTo(end);
        assertThat(JsonScan.hasEscape(bytes, 1, end - 1))
            .isEqualTo(
                new String(Arrays.copyOf(bytes, end), StandardCharsets.ISO_8859_1).contains("\\"));
      }
    }
  }

  /** Byte by byte; beyond {@code to} if the string is cut off. */
  private static int end(byte[] bytes, int to) {
    int at = 1;
    while (at < to && bytes[at] != '"') {
      at += bytes[at] == '\\' ? 2 : 1;
    }
    return at < to ? at + 1 : to + 1;
  }
}
