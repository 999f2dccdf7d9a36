package hourglass.query.values;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.seed.Seed;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ExactSumTest {
  private final Random random = Seed.random(this);

  @Test
  void isTheNearestDoubleToTheMeanInAnyOrder() {
    for (int run = 0; run < 300; run++) {
      List<Double> numbers = numbers(1 + random.nextInt(200));
      BigDecimal sum =
          numbers.stream().map(BigDecimal::new).reduce(BigDecimal.ZERO, BigDecimal::add);
      double mean =
          sum.divide(BigDecimal.valueOf(numbers.size()), new MathContext(1200)).doubleValue();
      assertThat(mean(numbers)).as("%s", numbers).isEqualTo(mean);
      Collections.shuffle(numbers, random);
      assertThat(mean(numbers)).isEqualTo(mean);
    }
  }

  private static double mean(List<Double> numbers) {
    ExactSum sum = new ExactSum();
    numbers.forEach(sum::add);
    return sum.mean(numbers.size());
  }

  private List<Double> numbers(int count) {
    int kind = random.nextInt(3);
    List<Double> numbers = new ArrayList<>();
    while (numbers.size() < count) {
      double number =
          switch (kind) {
            case 0 -> random.nextInt(1000) / 10.0 - 50;
            case 1 -> Double.longBitsToDouble(random.nextLong());
            default -> random.nextBoolean() ? Double.MAX_VALUE : Double.MIN_VALUE;
          };
      if (Double.isFinite(number)) {
        numbers.add(random.nextInt(10) == 0 && count > 1 ? -number : number);
      }
    }
    return numbers;
  }

  @Test
  void losesNothingToLargeNumbers() {
    assertThat(mean(List.of(1e300, 3.0, -1e300))).isEqualTo(1.0);
    assertThat(mean(List.of(0.1, 0.1, 0.1))).isEqualTo(0.1);
    assertThat(mean(List.of(Double.MAX_VALUE, Double.MAX_VALUE))).isEqualTo(Double.MAX_VALUE);
  }
}
