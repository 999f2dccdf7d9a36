package hourglass.store.cassandra.rows;

import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import hourglass.store.NameRanges;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.rows.Part;

/**
 * Packs of one column each, together.
 *
 * @param columns only names and lengths if {@code isRead} is false
 * @param isRead whether the payloads are there
 */
record ColumnsPart(Columns columns, boolean isRead, NameRanges names) implements Part {
  ColumnsPart(Columns columns, boolean isRead) {
    this(columns, isRead, NameRanges.of(columns));
  }

  @Override
  public TimeUuid first() {
    return columns.first();
  }

  @Override
  public TimeUuid last() {
    return columns.last();
  }

  @Override
  public int count() {
    return columns.size();
  }

  @Override
  public long payloadBytes() {
    return columns.payloadBytes();
  }

  @Override
  public Columns load(Projection projection) {
    if (!isRead && projection == Projection.COLUMNS) {
      throw new UnreadException();
    }
    return columns;
  }
}
