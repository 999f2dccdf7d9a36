package hourglass.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FigureTextTest {
  @ParameterizedTest
  @CsvSource({"PT0S, 0s", "PT1.5S, 1500ms", "PT90S, 90s", "PT2M, 2m", "PT36H, 36h", "PT48H, 2d"})
  void durationsHaveTheGreatestUnitThatKeepsThemWhole(Duration duration, String text) {
    assertThat(FigureText.duration(duration)).isEqualTo(text);
    assertThat(OptionTypes.duration(text)).isEqualTo(duration);
  }

  @ParameterizedTest
  @CsvSource({"1e3, 1000", "0.50, 0.5", "0e9, 0", "1e30, 1E+30", "-12.25, -12.25"})
  void decimalsHaveNoExponentUnlessTheyAreLong(BigDecimal number, String text) {
    assertThat(FigureText.decimal(number)).isEqualTo(text);
  }

  @Test
  void figuresAreAlikeInEveryLocale() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.GERMANY);
      assertThat(FigureText.count(1_234_567)).isEqualTo("1,234,567");
      assertThat(FigureText.share(1, 8)).isEqualTo("12.5%");
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void absentFiguresAreInWords() {
    assertThat(FigureText.orNotGiven("%.1f", null)).isEqualTo("(not given)");
    assertThat(FigureText.megabytes(1.5e9)).isEqualTo("1,500");
  }
}
