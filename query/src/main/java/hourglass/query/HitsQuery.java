package hourglass.query;

import hourglass.bucketing.Ticks;

/**
 * A query that counts events per step of at least 1 ms. If the selection has a filter, payloads are
 * read.
 */
public record HitsQuery(Selection selection, long stepMillis, boolean byType) {

  public long steps() {
    long stepTicks = stepTicks();
    TimeRange range = selection.range();
    return Math.floorDiv(range.toTicks() - range.fromTicks() + stepTicks - 1, stepTicks);
  }

  public long stepTicks() {
    return Math.multiplyExact(stepMillis, Ticks.PER_MILLI);
  }
}
