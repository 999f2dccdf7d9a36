package hourglass.query.values;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.seed.Seed;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumberCellsTest {

  @ParameterizedTest
  @CsvSource({
    "0.0999755859375, 0.10003662109375, 0.1",
    "500, 500.25, 500",
    "499.9, 500.1, 500",
    "1234, 1235, 1234",
    "1234.5, 1235.5, 1235",
    "99.97, 100.03, 100",
    "0, 1, 0",
    "1.7976e308, Infinity, 1.7976e308",
    "1.2345678901234567, 1.2345678901234569, 1.2345678901234567",
  })
  void isInTheRange(double low, double high, double shortest) {
    assertThat(NumberCells.shortest(low, high)).isEqualTo(shortest);
  }

  /** The library's array is as large as the range of all cells once it is allocated large. */
  @Test
  void memoryFollowsTheCellsInUse() {
    Random random = Seed.random(this);
    NumberCells cells = new NumberCells();
    for (int n = 0; n < 1_000_000; n++) {
      cells.add(Math.exp(2 * random.nextGaussian()), 1);
    }
    assertThat(cells.bytes()).isLessThan(100_000);
  }
}
