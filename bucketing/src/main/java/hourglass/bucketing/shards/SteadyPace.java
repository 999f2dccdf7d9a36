package hourglass.bucketing.shards;

import java.util.Arrays;

/**
 * The rate that a type keeps up, in shares of a row: the second lowest of the last five intervals.
 * Intervals are 0.2, 0.4, 0.8 and 1.6 s long, and the length with the highest rate counts. So a
 * burst of any size does not count, even when it is sent three times. Not thread-safe.
 *
 * <pre>
 * burst             |     ########|     .     .     |         |     ..  |    least of four: 0
 * hot from here on  ## ##.## # ## |## ##.# ###.# ###|         |## ##.## |    known by now
 * </pre>
 */
final class SteadyPace {
  static final int SLOT_MILLIS = 200;
  private static final int INTERVALS = 5;
  private static final int INTERVAL_SLOTS_MAX = 8;

  private static final int SLOTS = INTERVALS * INTERVAL_SLOTS_MAX + 1;

  /**
   * The shares of the last slots. It holds one slot until the second one begins, since most of many
   * types send one burst.
   */
  private float[] shares = new float[1];

  private final long beginMillis;
  private long slot;
  private double perSecond;
  private double all;

  /** The largest share of the slots that are no longer kept. */
  private double largestBefore;

  SteadyPace(long nowMillis) {
    beginMillis = nowMillis;
  }

  void add(double share, long nowMillis) {
    advanceTo(nowMillis);
    shares[index(slot)] += (float) share;
    all += share;
  }

  /** Removes a share. {@code recordedMillis} is the time of {@link #add}. */
  void takeBack(double share, long recordedMillis) {
    long recorded = (recordedMillis - beginMillis) / SLOT_MILLIS;
    if (recorded > slot - SLOTS && recorded <= slot) {
      shares[index(recorded)] = (float) Math.max(0, shares[index(recorded)] - share);
    }
    all = Math.max(0, all - share);
  }

  /** Returns the rate that was kept up until the last columns. */
  double perSecond() {
    return perSecond;
  }

  double withoutBurst() {
    return Math.max(0, all - largest());
  }

  private double largest() {
    double largest = largestBefore;
    for (float share : shares) {
      largest = Math.max(largest, share);
    }
    return largest;
  }

  // A clock may step back; the slot then stays.
  private void advanceTo(long nowMillis) {
    long next = (nowMillis - beginMillis) / SLOT_MILLIS;
    if (next <= slot) {
      return;
    }
    if (shares.length == 1) {
      shares = Arrays.copyOf(shares, SLOTS);
    }
    if (next - slot >= SLOTS) {
      largestBefore = largest();
      Arrays.fill(shares, 0);
      slot = next;
    }
    while (slot < next) {
      slot++;
      largestBefore = Math.max(largestBefore, shares[index(slot)]);
      shares[index(slot)] = 0;
    }
    perSecond = 0;
    for (int slots = 1; slots <= INTERVAL_SLOTS_MAX; slots *= 2) {
      perSecond = Math.max(perSecond, least(slots) * 1000 / (slots * SLOT_MILLIS));
    }
  }

  /** Returns the second lowest sum of the last intervals of so many slots. */
  private double least(int slots) {
    double least = Double.MAX_VALUE;
    double lesser = Double.MAX_VALUE;
    for (long interval = 0; interval < INTERVALS; interval++) {
      double sum = 0;
      for (int i = 1; i <= slots; i++) {
        sum += shares[index(slot - interval * slots - i)];
      }
      least = Math.min(least, Math.max(lesser, sum));
      lesser = Math.min(lesser, sum);
    }
    return least;
  }

  private int index(long ofSlot) {
    return (int) Math.floorMod(ofSlot, (long) shares.length);
  }
}
