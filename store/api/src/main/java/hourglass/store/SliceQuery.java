package hourglass.store;

import hourglass.bucketing.RowKey;

/**
 * A part of a row to read.
 *
 * @param order from which end of the range to begin
 * @param columnsMax at least 1; an engine may return fewer
 */
public record SliceQuery(
    RowKey row, ColumnRange range, Order order, int columnsMax, Projection projection) {

  public enum Projection {
    COLUMNS,
    /** Names and the lengths of payloads; {@link Columns#bytes} is empty. */
    NAMES
  }

  public SliceQuery {
    if (columnsMax < 1) {
      throw new IllegalArgumentException("columnsMax: " + columnsMax + " < 1");
    }
  }

  public SliceQuery withRange(ColumnRange rest) {
    return new SliceQuery(row, rest, order, columnsMax, projection);
  }

  public SliceQuery withColumnsMax(int max) {
    return new SliceQuery(row, range, order, max, projection);
  }

  /** The query that continues after a slice with {@link Slice#more}. */
  public SliceQuery after(Slice slice) {
    Columns got = slice.columns();
    return withRange(
        order == Order.ASCENDING
            ? new ColumnRange(got.last().successor(), range.to())
            : new ColumnRange(range.from(), got.first()));
  }
}
