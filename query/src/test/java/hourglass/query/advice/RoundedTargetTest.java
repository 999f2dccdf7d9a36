package hourglass.query.advice;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoundedTargetTest {

  @ParameterizedTest
  @CsvSource({
    "0, 1, 1",
    "1, 1, 1",
    "1.5, 2, 1",
    "2, 2, 2",
    "3, 5, 2",
    "5, 5, 5",
    "7, 10, 5",
    "10, 10, 10",
    "49999, 50000, 20000",
    "50000, 50000, 50000",
    "50001, 100000, 50000",
  })
  void targetsAreRoundedToOneDigit(double value, long up, long down) {
    assertThat(LayoutAdvice.roundUp(value)).isEqualTo(up);
    assertThat(LayoutAdvice.roundDown(value)).isEqualTo(down);
  }

  @ParameterizedTest
  @CsvSource({"0, 1 MiB", "1048576, 1 MiB", "1048577, 2 MiB", "20000000, 32 MiB"})
  void sizesArePowersOfTwo(double value, String text) {
    assertThat(LayoutAdvice.mebibytesText(LayoutAdvice.mebibytesUp(value))).isEqualTo(text);
  }
}
