package hourglass.query;

import hourglass.bucketing.Ticks;

/** A query that counts events per step. If the selection has a filter, payloads are read. */
public record HitsQuery(Selection selection, long stepMillis, boolean byType) {

  public HitsQuery {
    if (stepMillis < 1) {
      throw new IllegalArgumentException("step: " + stepMillis + " ms < 1 ms");
    }
  }

  public long steps() {
    long stepTicks = stepTicks();
    TimeRange range = selection.range();
    return Math.floorDiv(range.toTicks() - range.fromTicks() + stepTicks - 1, stepTicks);
  }

  public long stepTicks() {
    return Math.multiplyExact(stepMillis, Ticks.PER_MILLI);
  }
}
