package hourglass.query.advice;

import java.util.Arrays;

/**
 * How unevenly loads lie. Immutable.
 *
 * @param places how many loads, at least 1
 * @param maxOverMean the greatest load over the mean: 1 where all are equal, {@code places} where
 *     one has everything
 * @param gini the Gini coefficient: 0 where all are equal, {@code 1 - 1/places} where one has
 *     everything
 */
public record Skew(int places, double maxOverMean, double gini) {

  /**
   * Of loads in any order; no load at all is even. The Gini coefficient is half of the mean
   * difference between any two loads (each with each, itself too) over the mean load; with the
   * loads {@code x} sorted upwards, the sum over i = 1..n of {@code (2i - n - 1) x_i}, over {@code
   * n} times the sum of all.
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
      // The i-th from below and from above together: of equal loads nothing is left, to the bit.
      if (i < n / 2) {
        differences += (n - 1 - 2.0 * i) * (sorted[n - 1 - i] - sorted[i]);
      }
    }
    return sum == 0
        ? new Skew(n, 1, 0)
        : new Skew(n, sorted[n - 1] * (double) n / sum, differences / (n * sum));
  }
}
