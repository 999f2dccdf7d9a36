package hourglass.store.embedded.memory;

import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import hourglass.store.NameRanges;
import hourglass.store.SliceQuery.Projection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A run of at least one column of a row that is in the log but in no page yet; all are of one log
 * segment.
 */
public final class OpenRun implements RowPart {
  /**
   * The size from which a run is not merged. Batches of shippers mostly have as many columns, and
   * another copy of them would gain nothing.
   */
  private static final int COLUMNS_FULL = 256;

  private final Columns columns;
  private final long segment;
  private final long group;
  private final TimeUuid first;
  private final TimeUuid last;

  /** The ranges of the names, found when first needed: most runs grow before that. */
  private volatile @Nullable NameRanges names;

  public OpenRun(Columns columns, long segment, long group) {
    this.columns = columns;
    this.segment = segment;
    this.group = group;
    first = columns.first();
    last = columns.last();
  }

  public Columns columns() {
    return columns;
  }

  public long segment() {
    return segment;
  }

  @Override
  public long group() {
    return group;
  }

  @Override
  public TimeUuid first() {
    return first;
  }

  @Override
  public TimeUuid last() {
    return last;
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
  public NameRanges names() {
    NameRanges known = names;
    if (known == null) {
      known = NameRanges.of(columns);
      names = known;
    }
    return known;
  }

  @Override
  public boolean isLoaded() {
    return true;
  }

  @Override
  public Columns load(Projection projection) {
    return columns;
  }

  /**
   * Whether the next run is merged into this one. Sizes grow as in a binary counter, so a single
   * column is copied about log n times.
   */
  boolean mergesWith(OpenRun next) {
    return segment == next.segment && count() < COLUMNS_FULL && count() < 2 * next.count();
  }

  OpenRun mergedWith(OpenRun next) {
    Columns merged = Columns.merge(List.of(columns, next.columns));
    return new OpenRun(merged, segment, next.group);
  }
}
