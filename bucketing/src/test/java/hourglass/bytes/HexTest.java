package hourglass.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HexTest {
  private final Random random = new Random(7);

  @Test
  void writesEightDigits() {
    for (int digit = 0; digit < 16; digit++) {
      assertThat(text(Hex.eight(digit))).isEqualTo("0000000" + Integer.toHexString(digit));
      assertThat(text(Hex.eight(digit << 28))).isEqualTo(Integer.toHexString(digit) + "0000000");
    }
    for (int i = 0; i < 100_000; i++) {
      int bits = random.nextInt();
      assertThat(text(Hex.eight(bits))).isEqualTo(String.format("%08x", bits));
      assertThat(text(Hex.eightUpper(bits))).isEqualTo(String.format("%08X", bits));
    }
  }

  private static String text(long digits) {
    byte[] ascii = ByteBuffer.allocate(8).putLong(digits).array();
    return new String(ascii, StandardCharsets.US_ASCII);
  }
}
