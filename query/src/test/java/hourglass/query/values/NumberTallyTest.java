package hourglass.query.values;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.util.Arrays;
import java.util.Random;
import java.util.function.DoubleSupplier;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class NumberTallyTest {
  private final Random random = Seed.random(this);

  private static NumberSummary.Distribution of(double... numbers) {
    NumberTally tally = new NumberTally();
    tally.add(numbers, ones(numbers.length), numbers.length, 0, 0);
    NumberSummary.Distribution distribution = tally.summary().numbers();
    assertThat(distribution).isNotNull();
    return distribution;
  }

  @Test
  void quantilesOfAnyNumbersAreExactToAThousandth() {
    for (int run = 0; run < Tier.length(40, 200, 2_000); run++) {
      assertFits(doubles(1 + random.nextInt(3000)));
    }
  }

  private static void assertFits(double[] numbers) {
    NumberSummary.Distribution told = of(numbers);
    double[] sorted = numbers.clone();
    Arrays.sort(sorted);
    assertThat(told.min()).isEqualTo(sorted[0]);
    assertThat(told.max()).isEqualTo(sorted[sorted.length - 1]);
    assertIsNear(told.p50(), sorted, 500);
    assertIsNear(told.p90(), sorted, 900);
    assertIsNear(told.p99(), sorted, 990);
    assertIsNear(told.p999(), sorted, 999);
  }

  private static void assertIsNear(double told, double[] sorted, int thousandths) {
    int rank = (int) Math.max(1, Math.ceil(sorted.length * thousandths / 1000.0));
    double true_ = sorted[rank - 1];
    double off = Math.abs(true_) * NumberSummary.QUANTILE_ERROR_MAX + Double.MIN_NORMAL;
    assertThat(told)
        .as(() -> "the %d/1000 of %s".formatted(thousandths, Arrays.toString(sorted)))
        .isCloseTo(true_, Offset.offset(off));
  }

  private double[] doubles(int count) {
    DoubleSupplier some =
        switch (random.nextInt(6)) {
          case 0 -> () -> random.nextInt(1000);
          case 1 -> () -> random.nextGaussian() * 20;
          case 2 -> () -> Math.exp(random.nextGaussian() * 100);
          case 3 -> () -> random.nextInt(3) - 1;
          case 4 -> () -> -random.nextInt(100_000_000);
          default -> this::anyDouble;
        };
    return random.doubles(count).map(any -> some.getAsDouble() + 0.0).toArray();
  }

  private double anyDouble() {
    double number = Double.longBitsToDouble(random.nextLong());
    return Double.isFinite(number) ? number : anyDouble();
  }

  @Test
  void shortDecimalsAreReportedExactly() {
    for (int i = -2047; i <= 2047; i += Tier.length(7, 1, 1)) {
      assertThat(of(i - 1, i, i + 1).p50()).isEqualTo(i);
    }
    for (int i = 1; i < 1000; i++) {
      double number = Double.parseDouble(i + "e-" + random.nextInt(20));
      assertThat(of(0, number, 2 * number).p50()).isEqualTo(number);
    }
  }

  @Test
  void allQuantilesOfASingleNumberAreEqual() {
    double number = anyDouble();
    assertThat(of(number))
        .isEqualTo(
            new NumberSummary.Distribution(number, number, number, number, number, number, number));
  }

  @Test
  void numbersAreWeightedByTheirEvents() {
    double[] numbers = doubles(300);
    int[] events = random.ints(numbers.length, 1, 50).toArray();
    NumberTally tally = new NumberTally();
    tally.add(numbers, events, numbers.length, 0, 0);
    double[] each =
        IntStream.range(0, numbers.length)
            .boxed()
            .flatMapToDouble(i -> DoubleStream.generate(() -> numbers[i]).limit(events[i]))
            .toArray();
    assertThat(tally.summary().numbers()).isEqualTo(of(each));
    assertThat(tally.summary().count()).isEqualTo(each.length);
  }

  private static int[] ones(int count) {
    int[] ones = new int[count];
    Arrays.fill(ones, 1);
    return ones;
  }

  @Test
  void aSummaryWithoutNumbersHasNoDistribution() {
    NumberTally tally = new NumberTally();
    tally.add(new double[0], new int[0], 0, 2, 3);
    assertThat(tally.summary()).isEqualTo(new NumberSummary(5, 2, 3, null));
    assertThat(tally.summary().count()).isZero();
  }

  @Test
  void memoryGrowsWithCellsNotWithNumbers() {
    NumberTally tally = new NumberTally();
    double[] few = random.doubles(1000).map(any -> random.nextInt(100)).toArray();
    long first = tally.add(few, ones(few.length), few.length, 0, 0);
    assertThat(first).isBetween(1000L, 20_000L);
    long more = 0;
    for (int i = 0; i < 100; i++) {
      more += tally.add(few, ones(few.length), few.length, 0, 0);
    }
    assertThat(more).isLessThan(20_000);
  }
}
