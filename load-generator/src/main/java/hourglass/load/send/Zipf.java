package hourglass.load.send;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Draws ranks 0 to n-1 with probability proportional to 1 / (rank + 1)^exponent. Immutable. */
public final class Zipf {
  private final double[] cumulative;

  /**
   * Creates a distribution.
   *
   * @param n the number of ranks, at least 1
   * @param exponent 0 (all equally probable) or more
   */
  public Zipf(int n, double exponent) {
    cumulative = new double[n];
    double sum = 0;
    for (int rank = 0; rank < n; rank++) {
      sum += Math.pow(rank + 1, -exponent);
      cumulative[rank] = sum;
    }
    for (int rank = 0; rank < n; rank++) {
      cumulative[rank] /= sum;
    }
    cumulative[n - 1] = 1;
  }

  public int draw(SplittableRandom random) {
    int found = Arrays.binarySearch(cumulative, random.nextDouble());
    return found < 0 ? -found - 1 : Math.min(found + 1, cumulative.length - 1);
  }
}
