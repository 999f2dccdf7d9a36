package hourglass.store.cassandra.rows;

import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import hourglass.store.NameRanges;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.parts.Part;

/** Packs of one column each, together. */
record ColumnsPart(Columns columns, NameRanges names) implements Part {
  ColumnsPart(Columns columns) {
    this(columns, NameRanges.of(columns));
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
    return columns;
  }
}
