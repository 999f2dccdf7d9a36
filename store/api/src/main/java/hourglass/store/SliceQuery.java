package hourglass.store;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import org.jspecify.annotations.Nullable;

/**
 * A query for a part of a row.
 *
 * @param order the end of the range at which to begin
 * @param columnsMax at least 1; an engine may return fewer
 * @param filter null to read every column
 * @param resumeAt the hint of the slice that this query continues; null if there is none
 */
public record SliceQuery(
    RowKey row,
    ColumnRange range,
    Order order,
    int columnsMax,
    Projection projection,
    @Nullable Filter filter,
    @Nullable TimeUuid resumeAt) {

  public enum Projection {
    COLUMNS,
    /** Names and the lengths of payloads are read; {@link Columns#bytes} is empty. */
    NAMES
  }

  /**
   * A filter that lets an engine leave out columns in {@code range} that cannot match. It judges
   * the payload that stays in the row under a name. The engine may still return every column.
   *
   * @param readsAll whether the reader needs all columns that match. If not, an engine should not
   *     search far beyond the first match for one slice.
   */
  public record Filter(FieldFilter fields, ColumnRange range, boolean readsAll) {
    /** Creates a filter for a reader that needs all columns that match. */
    public Filter(FieldFilter fields, ColumnRange range) {
      this(fields, range, true);
    }
  }

  public SliceQuery(
      RowKey row, ColumnRange range, Order order, int columnsMax, Projection projection) {
    this(row, range, order, columnsMax, projection, null);
  }

  public SliceQuery(
      RowKey row,
      ColumnRange range,
      Order order,
      int columnsMax,
      Projection projection,
      @Nullable Filter filter) {
    this(row, range, order, columnsMax, projection, filter, null);
  }

  public SliceQuery {
    if (columnsMax < 1) {
      throw new IllegalArgumentException("columnsMax: " + columnsMax + " < 1");
    }
  }

  public SliceQuery withRange(ColumnRange rest) {
    return new SliceQuery(row, rest, order, columnsMax, projection, filter, null);
  }

  public SliceQuery withFilter(@Nullable Filter other) {
    return new SliceQuery(row, range, order, columnsMax, projection, other, resumeAt);
  }

  public SliceQuery withProjection(Projection other) {
    return new SliceQuery(row, range, order, columnsMax, other, filter, resumeAt);
  }

  public SliceQuery withColumnsMax(int max) {
    return new SliceQuery(row, range, order, max, projection, filter, resumeAt);
  }

  /** The query that continues after a slice with {@link Slice#more}. */
  public SliceQuery after(Slice slice) {
    Columns got = slice.columns();
    ColumnRange rest =
        order == Order.ASCENDING
            ? new ColumnRange(got.last().successor(), range.to())
            : new ColumnRange(range.from(), got.first());
    return new SliceQuery(row, rest, order, columnsMax, projection, filter, slice.resumeAt());
  }
}
