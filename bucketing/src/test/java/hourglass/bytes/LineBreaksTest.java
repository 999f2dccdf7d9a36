package hourglass.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.testing.Seed;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LineBreaksTest {
  private final Random random = Seed.random(this);

  @Test
  void onlyLineBreaksBecomeSpaces() {
    for (int i = 0; i < 5000; i++) {
      byte[] bytes = new byte[random.nextInt(40)];
      random.nextBytes(bytes);
      for (int at = 0; at < bytes.length; at++) {
        bytes[at] =
            random.nextInt(12) == 0 ? (byte) "\n\r\t ".charAt(random.nextInt(4)) : bytes[at];
      }
      int from = random.nextInt(bytes.length + 1);
      int to = from + random.nextInt(bytes.length - from + 1);
      String text = new String(bytes, StandardCharsets.ISO_8859_1);
      String expected =
          text.substring(0, from)
              + text.substring(from, to).replace('\n', ' ').replace('\r', ' ')
              + text.substring(to);
      LineBreaks.toSpaces(bytes, from, to);
      assertThat(new String(bytes, StandardCharsets.ISO_8859_1)).isEqualTo(expected);
    }
  }
}
