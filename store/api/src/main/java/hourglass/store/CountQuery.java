package hourglass.store;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;

/**
 * A query that counts columns of a row in steps.
 *
 * @param originTicks the start of step 0; not after any tick of the range inside the row's hour
 * @param stepTicks above 0; steps of whole minutes that begin with a minute, or one tick after, are
 *     cheap
 */
public record CountQuery(RowKey row, ColumnRange range, long originTicks, long stepTicks) {
  public CountQuery {
    if (stepTicks <= 0) {
      throw new IllegalArgumentException("stepTicks: " + stepTicks + " <= 0");
    }
  }

  public static CountQuery all(RowKey row) {
    long start = row.hour().startTicks();
    return new CountQuery(row, ColumnRange.of(row.hour()), start, row.hour().endTicks() - start);
  }

  public int step(long ticks) {
    return Math.toIntExact((ticks - originTicks) / stepTicks);
  }

  /** Whether every step consists of whole minutes. */
  public boolean hasWholeMinutes() {
    return stepTicks % Ticks.PER_MINUTE == 0
        && (row.hour().startTicks() - originTicks) % Ticks.PER_MINUTE == 0;
  }

  /**
   * Returns the same steps, but each begins one tick earlier; they are whole minutes if this {@link
   * #endsWithMinutes}.
   */
  public CountQuery fromTickBefore() {
    return new CountQuery(row, range, originTicks - 1, stepTicks);
  }

  /**
   * Whether every step begins with the second tick of a minute, and ends with the first tick of
   * one.
   */
  public boolean endsWithMinutes() {
    return stepTicks % Ticks.PER_MINUTE == 0
        && Math.floorMod(originTicks - row.hour().startTicks(), Ticks.PER_MINUTE) == 1;
  }

  public CountQuery of(RowKey row, ColumnRange range) {
    return new CountQuery(row, range, originTicks, stepTicks);
  }
}
