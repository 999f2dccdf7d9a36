package hourglass.query.values;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.testing.Seed;
import java.util.Random;
import org.assertj.core.data.Offset;
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
  void theShortestNumberIsInTheRange(double low, double high, double shortest) {
    assertThat(NumberCells.shortest(low, high)).isEqualTo(shortest);
  }

  /** Covers numbers from the smallest on, in steps of less than a cell and across powers of two. */
  @Test
  void everyNumberIsWithinAThousandthOfItself() {
    Random random = Seed.random(this);
    for (double number = Double.MIN_VALUE;
        number < Double.MAX_VALUE / 2;
        number += Math.max(Double.MIN_VALUE, number * random.nextDouble())) {
      assertQuantileIs(number);
      assertQuantileIs(-number);
    }
    for (double number :
        new double[] {
          0, Math.nextDown(Double.MIN_NORMAL), Double.MIN_NORMAL, 1e-320, 3e-323, Double.MAX_VALUE
        }) {
      assertQuantileIs(number);
    }
  }

  private static void assertQuantileIs(double number) {
    NumberCells cells = new NumberCells();
    cells.add(number, 1);
    double off = Math.abs(number) * NumberSummary.QUANTILE_ERROR_MAX;
    assertThat(cells.atRanks(0, 0)[0]).isCloseTo(number, Offset.offset(off));
  }

  @Test
  void quantilesOfSubnormalNumbersKeepTheirOrder() {
    NumberCells cells = new NumberCells();
    double[] ascending = {
      -1, -2e-308, -1e-320, -Double.MIN_VALUE, 0, Double.MIN_VALUE, 1e-322, 2e-308, 3e-308, 1
    };
    for (double number : ascending) {
      cells.add(number, 1);
    }
    for (int i = 0; i < ascending.length; i++) {
      assertThat(cells.atRanks(i, i)[0]).isEqualTo(ascending[i]);
    }
  }

  /** The library's array is as large as the range of all cells once it is allocated large. */
  @Test
  void memoryIsProportionalToTheCellsInUse() {
    Random random = Seed.random(this);
    NumberCells cells = new NumberCells();
    for (int n = 0; n < 1_000_000; n++) {
      cells.add(Math.exp(2 * random.nextGaussian()), 1);
    }
    assertThat(cells.bytes()).isLessThan(100_000);
  }
}
