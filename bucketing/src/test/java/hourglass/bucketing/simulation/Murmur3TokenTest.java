package hourglass.bucketing.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The expected tokens are those of Murmur3TokenFactory in the Java driver 4.19. */
final class Murmur3TokenTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "a; -8839064797231613815",
        "20112608|checkout|0; 1168278203271192383",
        "20112608|checkout|3; 3315232644756995213",
        "31129923|page_view|1023; 6331334975310114909",
        "01010000|x|0; -2583308335476637334",
        "20112608|größe|0; 8391019749758766546",
        "20112608|日本語の型|12; 381548161945242587",
        "20112608|é; 1424780239528213953",
        "0123456789abcde; -6472281833689111727",
        "0123456789abcdef; 5467490433528156583",
        "0123456789abcdeé; 7957485618791450925",
        "ÿÿÿÿÿÿÿÿÿÿ; -4397334212683557361",
        "20112608|🙂🙂|7; -8144959059696342554",
      })
  void tokenEqualsDrivers(String key, long token) {
    assertThat(Murmur3Token.of(key.getBytes(StandardCharsets.UTF_8))).isEqualTo(token);
  }

  /** 10,000 keys of any bytes and lengths, folded into one number. */
  @Test
  void tokenOfAnyBytesEqualsDrivers() {
    Random random = new Random(42);
    long folded = 0;
    for (int i = 0; i < 10_000; i++) {
      byte[] key = new byte[random.nextInt(40)];
      random.nextBytes(key);
      folded = folded * 31 + Murmur3Token.of(key);
    }
    assertThat(folded).isEqualTo(3686091120896022691L);
  }
}
