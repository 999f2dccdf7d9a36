package hourglass.query.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import hourglass.testing.Seed;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SkewTest {

  @Test
  void equalLoadsAreEvenToTheBit() {
    assertThat(Skew.of(7)).isEqualTo(new Skew(1, 1, 0));
    assertThat(Skew.of(100_003, 100_003, 100_003)).isEqualTo(new Skew(3, 1, 0));
    long[] many = new long[100_000];
    Arrays.fill(many, 1_000_000_000_007L);
    assertThat(Skew.of(many).gini()).isZero();
  }

  @Test
  void zeroLoadsAreEven() {
    assertThat(Skew.of(0)).isEqualTo(new Skew(1, 1, 0));
    assertThat(Skew.of(0, 0, 0, 0)).isEqualTo(new Skew(4, 1, 0));
  }

  @Test
  void aSingleLoadIsTheWorst() {
    assertThat(Skew.of(0, 9, 0, 0)).isEqualTo(new Skew(4, 4, 0.75));
    assertThat(Skew.of(0, 5)).isEqualTo(new Skew(2, 2, 0.5));
  }

  /** The differences of each pair, 0 1 2 3, 1 0 1 2, ..., add up to 20; over 2 * 16 * 2.5. */
  @Test
  void skewMatchesKnownValues() {
    assertThat(Skew.of(1, 2, 3, 4)).isEqualTo(new Skew(4, 1.6, 0.25));
    assertThat(Skew.of(3, 1, 4, 2)).isEqualTo(new Skew(4, 1.6, 0.25));
    assertThat(Skew.of(1, 3)).isEqualTo(new Skew(2, 1.5, 0.25));
  }

  @Test
  void equalLoadsCountLikeOthers() {
    assertThat(Skew.of(2, 2, 4)).isEqualTo(new Skew(3, 1.5, 4 / 24.0));
    assertThat(Skew.of(4, 4, 0, 0)).isEqualTo(new Skew(4, 2, 0.5));
  }

  /** The skew is half of the mean difference, over the mean. */
  @Test
  void isTheMeanDifferenceOfAnyLoads() {
    Random random = Seed.random(this);
    for (int round = 0; round < 200; round++) {
      long[] loads =
          random.longs(1 + random.nextInt(40), 0, 1 + random.nextInt(1_000_000)).toArray();
      double differences = 0;
      for (long a : loads) {
        for (long b : loads) {
          differences += Math.abs(a - b);
        }
      }
      double sum = Arrays.stream(loads).sum();
      double gini = sum == 0 ? 0 : differences / (2 * loads.length * sum);
      assertThat(Skew.of(loads).gini()).as(Arrays.toString(loads)).isCloseTo(gini, within(1e-12));
    }
  }

  @Test
  void inputIsNotModified() {
    long[] loads = {3, 1, 2};
    Skew.of(loads);
    assertThat(loads).containsExactly(3, 1, 2);
  }

  @Test
  void emptyLoadsAreRefused() {
    assertThatThrownBy(Skew::of).hasMessage("loads: none, want one or more");
  }
}
