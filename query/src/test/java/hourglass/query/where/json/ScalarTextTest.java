package hourglass.query.where.json;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.testing.Seed;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScalarTextTest {
  private final Random random = Seed.random(this);

  private static String spelled(String json) {
    byte[] bytes = ("," + json + ",").getBytes(StandardCharsets.UTF_8);
    int to = bytes.length - 1;
    return ScalarText.isSpelled(bytes, 1, to)
        ? json
        : new String(ScalarText.of(bytes, 1, to), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "null        | null",
        "true        | true",
        "12          | 12",
        "-12         | -12",
        "0           | 0",
        "-0          | 0",
        "-0.0        | 0",
        "0e7         | 0",
        "12.0        | 12",
        "1.2e1       | 12",
        "100         | 100",
        "1e2         | 100",
        "1E+17       | 100000000000000000",
        "1e18        | 1E+18",
        "1000000000000000000 | 1E+18",
        "1.50        | 1.5",
        "15e-1       | 1.5",
        "-1.5        | -1.5",
        "0.5         | 0.5",
        "5e-1        | 0.5",
        "0.0000005   | 5E-7",
        "5e-7        | 5E-7",
        "9007199254740993 | 9007199254740993",
        "9007199254740992.0 | 9007199254740992",
        "1e99999999999 | 1e99999999999",
        "1e2147483647  | 1E+2147483647",
        "-10e2147483646 | -1E+2147483647",
        "1e-2147483647 | 1E-2147483647",
        "10e2147483647 | 1E+2147483648",
        "\"a\"       | \"a\"",
        "\"12\"      | \"12\"",
        "\"null\"    | \"null\"",
        "\"\\u0041\\/\" | \"A/\"",
        "\"\\u00e9\" | \"é\"",
        "\"é\"       | \"é\"",
        "\"\\ud83d\\ude00\" | \"😀\"",
        "\"\\uD83D\" | \"\\ud83d\"",
        "\"\\n\"     | \"\\u000a\"",
        "\"\\\"\\\\\" | \"\\\"\\\\\"",
      })
  void equalScalarsHaveOneSpelling(String json, String spelling) {
    assertThat(spelled(json)).isEqualTo(spelling);
    assertThat(spelled(spelling)).isEqualTo(spelling);
  }

  @Test
  void numbersAreEqualIfTheirSpellingsAre() {
    for (int i = 0; i < 20_000; i++) {
      BigDecimal one = number();
      BigDecimal other = random.nextBoolean() ? number() : one;
      String text = text(one);
      String otherText = text(other);
      assertThat(spelled(text).equals(spelled(otherText)))
          .as("%s and %s", text, otherText)
          .isEqualTo(one.compareTo(other) == 0);
    }
  }

  private BigDecimal number() {
    long digits = random.nextLong() >> random.nextInt(64);
    return BigDecimal.valueOf(digits).movePointLeft(random.nextInt(24) - 8);
  }

  private String text(BigDecimal number) {
    BigDecimal longer = number.setScale(number.scale() + random.nextInt(4));
    return switch (random.nextInt(3)) {
      case 0 -> longer.toPlainString();
      case 1 -> longer.toString();
      default -> longer.unscaledValue() + (random.nextBoolean() ? "e" : "E") + -longer.scale();
    };
  }
}
