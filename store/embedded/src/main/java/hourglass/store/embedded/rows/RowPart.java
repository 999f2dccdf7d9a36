package hourglass.store.embedded.rows;

import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.SliceQuery.Projection;

/** A sorted part of a row: in memory or on disk. Parts of a row may overlap. Immutable. */
public sealed interface RowPart permits OpenRun, PageRef {
  TimeUuid first();

  TimeUuid last();

  int count();

  long payloadBytes();

  /** The number of the log group that brought the newest of its columns. */
  long group();

  /** The columns themselves; payloads may come along unasked. */
  Columns load(Projection projection);

  default boolean overlaps(ColumnRange range) {
    return first().compareTo(range.to()) < 0 && range.from().compareTo(last()) <= 0;
  }
}
