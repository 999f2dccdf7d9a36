package hourglass.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.testing.Seed;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonNumberTest {
  private final Random random = Seed.random(this);

  private static double read(String number) {
    byte[] bytes = ("[" + number + "]").getBytes(StandardCharsets.US_ASCII);
    return JsonNumber.of(bytes, 1, bytes.length - 1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "7",
        "-7",
        "0.1",
        "-0.1",
        "1e3",
        "1E-3",
        "1.5e+3",
        "9007199254740992",
        "9007199254740993",
        "900719925474099.3",
        "123456789012345678",
        "1234567890123456789",
        "18446744073709551616",
        "0.00000000000000001",
        "0.1234567890123456",
        "0.123456789012345678901234567890",
        "179769313486231570000000000000000000000e270",
        "4.9e-324",
        "1e-400",
        "1e400",
        "-1e400"
      })
  void isTheNearestDouble(String number) {
    assertThat(read(number)).isEqualTo(Double.parseDouble(number));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-0", "-0.0", "-0e5", "-1e-400"})
  void isNeverANegativeZero(String number) {
    assertThat(Double.doubleToRawLongBits(read(number))).isZero();
  }

  @Test
  void isTheNearestDoubleForRandomOnes() {
    for (int i = 0; i < 50_000; i++) {
      double number = Double.longBitsToDouble(random.nextLong());
      if (Double.isFinite(number)) {
        assertThat(read(Double.toString(number))).isEqualTo(number);
      }
      BigDecimal digits = BigDecimal.valueOf(random.nextLong() >> random.nextInt(64));
      String text = digits.movePointLeft(random.nextInt(19)).toPlainString();
      assertThat(read(text)).as(text).isEqualTo(Double.parseDouble(text) + 0.0);
    }
  }
}
