package hourglass.bucketing.shards;

import java.util.Arrays;

/**
 * What a type keeps up, in shares of a row: the least that came in any four of the last five
 * stretches of time, where the stretches are 0.2, 0.4, 0.8 or 1.6 s long, whichever shows most. So
 * a burst, however large, is not kept up, and neither is one that is sent three times. Not
 * thread-safe.
 *
 * <pre>
 * burst             |     ########|     .     .     |         |     ..  |    least of four: 0
 * hot from here on  ## ##.## # ## |## ##.# ###.# ###|         |## ##.## |    known by now
 * </pre>
 */
final class SteadyPace {
  static final int SLOT_MILLIS = 200;
  private static final int STRETCHES = 5;
  private static final int STRETCH_SLOTS_MAX = 8;

  /** The last one is not over yet. */
  private final float[] shares = new float[STRETCHES * STRETCH_SLOTS_MAX + 1];

  private final long beginMillis;
  private long slot;
  private double perSecond;
  private double all;

  /** Of the slots that are over for so long that they are not kept any more. */
  private double largestBefore;

  /**
   * @param nowMillis when the first stretch begins: with the first columns
   */
  SteadyPace(long nowMillis) {
    beginMillis = nowMillis;
  }

  void add(double share, long nowMillis) {
    goOnTo(nowMillis);
    shares[index(slot)] += (float) share;
    all += share;
  }

  /**
   * Takes back what was added.
   *
   * @param recordedMillis when it was
   */
  void takeBack(double share, long recordedMillis) {
    long came = (recordedMillis - beginMillis) / SLOT_MILLIS;
    if (came > slot - shares.length && came <= slot) {
      shares[index(came)] = (float) Math.max(0, shares[index(came)] - share);
    }
    all = Math.max(0, all - share);
  }

  /** The pace that was kept up, up to the last time that something came. */
  double perSecond() {
    return perSecond;
  }

  /** All that came but the largest burst. */
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

  // Clocks may step back; then time stands still.
  private void goOnTo(long nowMillis) {
    long next = (nowMillis - beginMillis) / SLOT_MILLIS;
    if (next <= slot) {
      return;
    }
    if (next - slot >= shares.length) {
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
    for (int slots = 1; slots <= STRETCH_SLOTS_MAX; slots *= 2) {
      perSecond = Math.max(perSecond, least(slots) * 1000 / (slots * SLOT_MILLIS));
    }
  }

  /** The least that came in any stretch of so many slots, but for one that had less. */
  private double least(int slots) {
    double least = Double.MAX_VALUE;
    double lesser = Double.MAX_VALUE;
    for (long assignment = 0; assignment < STRETCHES; assignment++) {
      double sum = 0;
      for (int i = 1; i <= slots; i++) {
        sum += shares[index(slot - assignment * slots - i)];
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
