package hourglass.bucketing.shards;

import java.util.Arrays;
import java.util.Random;

/** Ranks from 0; rank r is drawn in proportion to 1 / (r + 1)^exponent. */
final class Zipf {
  private final double[] sums;

  Zipf(int ranks, double exponent) {
    sums = new double[ranks];
    double sum = 0;
    for (int rank = 0; rank < ranks; rank++) {
      sum += Math.pow(rank + 1, -exponent);
      sums[rank] = sum;
    }
  }

  int next(Random random) {
    int at = Arrays.binarySearch(sums, random.nextDouble() * sums[sums.length - 1]);
    return Math.min(sums.length - 1, at < 0 ? -at - 1 : at);
  }
}
