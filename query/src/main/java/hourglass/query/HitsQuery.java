package hourglass.query;

import hourglass.bucketing.Ticks;

/**
 * Which events to count in which steps.
 *
 * @param selection which; with a text or an expression, payloads are read
 * @param stepMillis the length of a step, at least 1
 * @param byType whether each type has counts of its own
 */
public record HitsQuery(Selection selection, long stepMillis, boolean byType) {

  public HitsQuery {
    if (stepMillis < 1) {
      throw new IllegalArgumentException("step: " + stepMillis + " ms < 1 ms");
    }
  }

  /** Steps that begin in the range. */
  public long steps() {
    long stepTicks = stepTicks();
    TimeRange range = selection.range();
    return Math.floorDiv(range.toTicks() - range.fromTicks() + stepTicks - 1, stepTicks);
  }

  /** The length of a step. */
  public long stepTicks() {
    return Math.multiplyExact(stepMillis, Ticks.PER_MILLI);
  }
}
