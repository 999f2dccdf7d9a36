package hourglass.store.embedded.rows;

import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.NameRanges;
import hourglass.store.SliceQuery.Projection;
import org.jspecify.annotations.Nullable;

/** A sorted part of a row, in memory or on disk. Parts may overlap. Immutable. */
public sealed interface RowPart permits OpenRun, PageRef {
  TimeUuid first();

  TimeUuid last();

  int count();

  long payloadBytes();

  /** The newest log group among its columns. */
  long group();

  /** Null if unknown. */
  @Nullable NameRanges names();

  /** May have payloads even if not requested. */
  Columns load(Projection projection);

  default boolean overlaps(ColumnRange range) {
    return first().compareTo(range.to()) < 0 && range.from().compareTo(last()) <= 0;
  }
}
