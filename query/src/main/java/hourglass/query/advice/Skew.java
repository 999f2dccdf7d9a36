package hourglass.query.advice;

import java.util.Arrays;

/**
 * The unevenness of loads. Immutable.
 *
 * @param maxOverMean 1 if all are equal, {@code places} if one has the whole load
 * @param gini the Gini coefficient: 0 if all are equal, {@code 1 - 1/places} if one has the whole
 *     load
 */
public record Skew(int places, double maxOverMean, double gini) {

  /**
   * Measures loads in any order; all zeros are even. The Gini coefficient is half the mean
   * difference of two loads, each with itself included, divided by the mean load. With {@code x}
   * ascending, that is the sum over i = 1..n of {@code (2i - n - 1) x_i}, divided by {@code n}
   * times the sum of all loads.
   *
   * @throws IllegalArgumentException without a load
   */
  public static Skew of(long... loads) {
    int n = loads.length;
    if (n == 0) {
      throw new IllegalArgumentException("loads: none, want one or more");
    }
    long[] sorted = loads.clone();
    Arrays.sort(sorted);
    double sum = 0;
    double differences = 0;
    for (int i = 0; i < n; i++) {
      sum += sorted[i];
      // Pairs the i-th smallest with the i-th largest, so that equal loads cancel exactly.
      if (i < n / 2) {
        differences += (n - 1 - 2.0 * i) * (sorted[n - 1 - i] - sorted[i]);
      }
    }
    return sum == 0
        ? new Skew(n, 1, 0)
        : new Skew(n, sorted[n - 1] * (double) n / sum, differences / (n * sum));
  }
}
