package hourglass.query.values;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ExactSumTest {
  private final Random random = Seed.random(this);

  @Test
  void theMeanIsTheNearestDoubleInAnyOrder() {
    for (int run = 0; run < Tier.length(200, 1_000, 20_000); run++) {
      List<Double> numbers = numbers(1 + random.nextInt(run % 2 == 0 ? 200 : 6));
      double mean = mean(numbers);
      assertIsNearest(mean, numbers);
      Collections.shuffle(numbers, random);
      assertThat(mean(numbers)).isEqualTo(mean);
    }
  }

  /** Compares in decimals, without a division. */
  private static void assertIsNearest(double mean, List<Double> numbers) {
    BigDecimal sum = numbers.stream().map(BigDecimal::new).reduce(BigDecimal.ZERO, BigDecimal::add);
    int toBelow = besideMiddle(sum, Math.nextDown(mean), mean, numbers.size());
    int toAbove = besideMiddle(sum, mean, Math.nextUp(mean), numbers.size());
    boolean isEven = (Double.doubleToRawLongBits(mean) & 1) == 0;
    assertThat(isEven ? toBelow >= 0 && toAbove <= 0 : toBelow > 0 && toAbove < 0)
        .as("%s is the mean of %s: %s %s", mean, numbers, toBelow, toAbove)
        .isTrue();
  }

  /** Compares a sum with so many times the middle of two doubles. */
  private static int besideMiddle(BigDecimal sum, double low, double high, int count) {
    if (!Double.isFinite(low) || !Double.isFinite(high)) {
      return Double.isFinite(low) ? -1 : 1;
    }
    BigDecimal both = new BigDecimal(low).add(new BigDecimal(high));
    return sum.add(sum).compareTo(both.multiply(BigDecimal.valueOf(count)));
  }

  @Test
  void theMeanIsRoundedOnce() {
    double max = Double.MAX_VALUE;
    double min = Double.MIN_VALUE;
    assertThat(mean(List.of(max, min, min, -max))).isEqualTo(0.0); // halfway, and 0 is even
    assertThat(mean(List.of(max, min, min, min, -max, 0.0))).isEqualTo(0.0);
    assertThat(mean(List.of(max, min, min, min, -max))).isEqualTo(min);
    assertThat(mean(List.of(min, min, min, 0.0, 0.0, min))).isEqualTo(min);
    assertThat(mean(List.of(3 * min, 0.0))).isEqualTo(2 * min); // halfway, and 2 is even
    assertThat(mean(List.of(-max, -min, -min, max))).isEqualTo(0.0);
    assertThat(mean(List.of(1.0, 1 + Math.ulp(1.0)))).isEqualTo(1.0);
    assertThat(mean(List.of(1 + Math.ulp(1.0), 1 + 2 * Math.ulp(1.0))))
        .isEqualTo(1 + 2 * Math.ulp(1.0));
  }

  private static double mean(List<Double> numbers) {
    ExactSum sum = new ExactSum();
    numbers.forEach(number -> sum.add(number, 1));
    return sum.mean(numbers.size());
  }

  @Test
  void addsANumberManyTimes() {
    for (int round = 0; round < 200; round++) {
      ExactSum once = new ExactSum();
      ExactSum atOnce = new ExactSum();
      List<Double> numbers = numbers(1 + random.nextInt(5));
      long count = 0;
      for (double number : numbers) {
        int times = 1 + random.nextInt(1_000);
        for (int i = 0; i < times; i++) {
          once.add(number, 1);
        }
        atOnce.add(number, times);
        count += times;
      }
      assertThat(atOnce.mean(count)).as("%s", numbers).isEqualTo(once.mean(count));
    }
  }

  /** A limb would overflow without carries. */
  @Test
  void manyLargeNumbersDoNotOverflow() {
    ExactSum sum = new ExactSum();
    for (int i = 0; i < 20; i++) {
      sum.add(Double.MAX_VALUE, 1 << 30);
    }
    assertThat(sum.mean(20L << 30)).isEqualTo(Double.MAX_VALUE);
  }

  private List<Double> numbers(int count) {
    int kind = random.nextInt(6);
    List<Double> numbers = new ArrayList<>();
    while (numbers.size() < count) {
      double number =
          switch (kind) {
            case 0 -> random.nextInt(1000) / 10.0 - 50;
            case 1 -> Double.longBitsToDouble(random.nextLong());
            case 2 -> Double.MIN_VALUE * random.nextInt(5);
            case 3 -> Math.scalb(1.0 + random.nextInt(4) * Math.ulp(1.0), random.nextInt(3));
            case 4 -> Math.scalb(random.nextLong(), random.nextInt(80) - 1100);
            default -> random.nextBoolean() ? Double.MAX_VALUE : Double.MIN_VALUE;
          };
      if (Double.isFinite(number)) {
        numbers.add(random.nextInt(10) == 0 && count > 1 ? -number : number);
      }
    }
    return numbers;
  }

  @Test
  void largeNumbersDoNotHideSmallOnes() {
    assertThat(mean(List.of(1e300, 3.0, -1e300))).isEqualTo(1.0);
    assertThat(mean(List.of(0.1, 0.1, 0.1))).isEqualTo(0.1);
    assertThat(mean(List.of(Double.MAX_VALUE, Double.MAX_VALUE))).isEqualTo(Double.MAX_VALUE);
  }
}
