package hourglass.load.chart;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ScaleTest {
  @Test
  void placesEvenly() {
    Scale scale = Scale.linear(87, 200, 100);
    assertThat(scale.ticks()).containsExactly(0.0, 20.0, 40.0, 60.0, 80.0, 100.0);
    assertThat(scale.at(0)).isEqualTo(200);
    assertThat(scale.at(50)).isEqualTo(150);
    assertThat(scale.at(100)).isEqualTo(100);
  }

  @Test
  void placesByTheLogarithm() {
    Scale scale = Scale.logarithmic(0.3, 45, 0, 30);
    assertThat(scale.ticks()).hasSize(4);
    assertThat(scale.at(0.1)).isZero();
    assertThat(scale.at(0)).isZero();
    assertThat(scale.at(1)).isEqualTo(10, org.assertj.core.api.Assertions.within(1e-9));
    assertThat(scale.at(100)).isEqualTo(30, org.assertj.core.api.Assertions.within(1e-9));
  }

  @Test
  void drawsNothingAtAll() {
    assertThat(Scale.linear(0, 0, 10).ticks()).startsWith(0.0);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "0.25, 0.25",
    "7, 7",
    "1234, 1230",
    "12345, 12.3k",
    "250000, 250k",
    "3000000, 3M"
  })
  void writesThreeDigits(double value, String text) {
    assertThat(Scale.text(value)).isEqualTo(text);
  }
}
