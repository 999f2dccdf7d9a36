package hourglass.query;

import hourglass.bucketing.Ticks;

/**
 * Steps of time from the start of a range on; the last may be shorter. Immutable.
 *
 * @param millis the length of a step; 0 if the whole range is one step
 */
public record Steps(TimeRange range, long millis) {

  public static Steps whole(TimeRange range) {
    return new Steps(range, 0);
  }

  public boolean isWhole() {
    return millis == 0;
  }

  public long count() {
    return isWhole() ? 1 : (range.toTicks() - range.fromTicks() + ticks() - 1) / ticks();
  }

  /** Returns the step of a time in the range. */
  public int step(long ticks) {
    return isWhole() ? 0 : Math.toIntExact((ticks - range.fromTicks()) / ticks());
  }

  /** The time at which the next step begins. */
  public long endTicks(int step) {
    return isWhole() ? range.toTicks() : range.fromTicks() + (step + 1L) * ticks();
  }

  /** The length of a step. */
  public long ticks() {
    return Math.multiplyExact(millis, Ticks.PER_MILLI);
  }
}
