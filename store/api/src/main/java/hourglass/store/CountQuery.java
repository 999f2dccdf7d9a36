package hourglass.store;

import hourglass.bucketing.RowKey;

/**
 * Columns of a row to count, and the steps to count them in.
 *
 * @param range the names
 * @param originTicks start of step 0; not after any tick of the range inside the row's hour
 * @param stepTicks length of a step, above 0; whole minutes from a whole minute are cheap
 */
public record CountQuery(RowKey row, ColumnRange range, long originTicks, long stepTicks) {
  public CountQuery {
    if (stepTicks <= 0) {
      throw new IllegalArgumentException("stepTicks: " + stepTicks + " <= 0");
    }
  }

  /** One count of all columns of the row. */
  public static CountQuery all(RowKey row) {
    long start = row.hour().startTicks();
    return new CountQuery(row, ColumnRange.of(row.hour()), start, row.hour().endTicks() - start);
  }

  /** The step that a tick falls into. */
  public int step(long ticks) {
    return Math.toIntExact((ticks - originTicks) / stepTicks);
  }

  /** The same steps of another row or range. */
  public CountQuery of(RowKey row, ColumnRange range) {
    return new CountQuery(row, range, originTicks, stepTicks);
  }
}
