package hourglass.store;

import hourglass.bucketing.RowKey;

/**
 * Which part of a row to read.
 *
 * @param row the row
 * @param range the names
 * @param order from which end of the range to begin
 * @param columnsMax how many columns at most, at least 1; an engine may answer fewer at a time
 * @param projection whether payloads are wanted
 */
public record SliceQuery(
    RowKey row, ColumnRange range, Order order, int columnsMax, Projection projection) {

  /** What a slice brings of each column. */
  public enum Projection {
    /** Names and payloads. */
    COLUMNS,
    /** Names and the lengths of payloads; {@link Columns#bytes} is empty. */
    NAMES
  }

  public SliceQuery {
    if (columnsMax < 1) {
      throw new IllegalArgumentException("columnsMax: " + columnsMax + " < 1");
    }
  }

  /** The same question about another part of the row: how a reader goes on after a slice. */
  public SliceQuery withRange(ColumnRange rest) {
    return new SliceQuery(row, rest, order, columnsMax, projection);
  }

  /** The same question for a slice of another size. */
  public SliceQuery withColumnsMax(int max) {
    return new SliceQuery(row, range, order, max, projection);
  }

  /**
   * The question that continues after an answer that was not the last.
   *
   * @param slice an answer to this with {@link Slice#more}
   */
  public SliceQuery after(Slice slice) {
    Columns got = slice.columns();
    return withRange(
        order == Order.ASCENDING
            ? new ColumnRange(got.id(got.size() - 1).successor(), range.to())
            : new ColumnRange(range.from(), got.id(0)));
  }
}
