package hourglass.bucketing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class HexTextTest {
  private final Random random = new Random(7);

  @Test
  void writesEightDigits() {
    for (int digit = 0; digit < 16; digit++) {
      assertThat(text(digit)).isEqualTo("0000000" + Integer.toHexString(digit));
      assertThat(text(digit << 28)).isEqualTo(Integer.toHexString(digit) + "0000000");
    }
    for (int i = 0; i < 100_000; i++) {
      int bits = random.nextInt();
      assertThat(text(bits)).isEqualTo(String.format("%08x", bits));
    }
  }

  private static String text(int bits) {
    byte[] ascii = ByteBuffer.allocate(8).putLong(HexText.eight(bits)).array();
    return new String(ascii, StandardCharsets.US_ASCII);
  }

  @Test
  void aNameIsWrittenAsItsUuidIs() {
    byte[] out = new byte[TimeUuid.TEXT_BYTES + 2];
    for (int i = 0; i < 100_000; i++) {
      long ticks = random.nextLong() & 0x0FFF_FFFF_FFFF_FFFFL;
      long lsb = random.nextLong();
      assertThat(TimeUuid.write(ticks, lsb, out, 1)).isEqualTo(1 + TimeUuid.TEXT_BYTES);
      String text = new String(out, 1, TimeUuid.TEXT_BYTES, StandardCharsets.US_ASCII);
      assertThat(text).isEqualTo(new UUID(TimeUuid.msbOfTicks(ticks), lsb).toString());
      assertThat(out[0]).isZero();
      assertThat(out[out.length - 1]).isZero();
    }
  }
}
