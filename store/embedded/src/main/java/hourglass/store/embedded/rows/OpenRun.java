package hourglass.store.embedded.rows;

import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import hourglass.store.SliceQuery.Projection;
import java.util.List;

/** Columns of a row in the log but in no page yet: at least one, of one log segment. */
public record OpenRun(Columns columns, long segment, long group, TimeUuid first, TimeUuid last)
    implements RowPart {

  private static final int COLUMNS_FULL = 512;

  public OpenRun(Columns columns, long segment, long group) {
    this(columns, segment, group, columns.first(), columns.last());
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

  /** The sizes grow as in a binary counter, so single columns are moved about log n times each. */
  boolean mergesWith(OpenRun next) {
    return segment == next.segment && count() < COLUMNS_FULL && count() < 2 * next.count();
  }

  OpenRun mergedWith(OpenRun next) {
    Columns merged = Columns.merge(List.of(columns, next.columns));
    return new OpenRun(merged, segment, next.group);
  }
}
