package hourglass.store.rows;

import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.FieldFilter;
import hourglass.store.NameRanges;
import hourglass.store.SliceQuery.Projection;
import org.jspecify.annotations.Nullable;

/** Columns as a stored part of a row, which counts how often it is loaded. */
class StoredPart implements Part {
  private final Columns columns;
  private final @Nullable NameRanges names;
  private final MinuteCounts minutes;
  int loads;

  StoredPart(Columns columns) {
    this(columns, NameRanges.of(columns));
  }

  /** {@code names} may be null, as of a part that does not tell them. */
  StoredPart(Columns columns, @Nullable NameRanges names) {
    this.columns = columns;
    this.names = names;
    int[] counts = new int[60];
    for (int i = 0; i < columns.size(); i++) {
      counts[(int) (columns.ticks(i) % Ticks.PER_HOUR / Ticks.PER_MINUTE)]++;
    }
    minutes = MinuteCounts.ofAll(counts);
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
  public @Nullable NameRanges names() {
    return names;
  }

  @Override
  public MinuteCounts minutes() {
    return minutes;
  }

  @Override
  public Columns load(Projection projection) {
    loads++;
    return columns;
  }

  @Override
  public boolean mayMatch(FieldFilter filter) {
    return !match(filter, columns).isEmpty();
  }

  /** Every other part has an index of its values. */
  @Override
  public boolean mayMatchUnread(FieldFilter filter) {
    return columns.size() % 2 == 0 || mayMatch(filter);
  }

  @Override
  public Columns match(FieldFilter filter) {
    loads++;
    return match(filter, columns);
  }

  private static Columns match(FieldFilter filter, Columns all) {
    ColumnsBuilder found = new ColumnsBuilder(all.size(), all.payloadBytes());
    for (int i = 0; i < all.size(); i++) {
      if (filter.mayMatch(all, i)) {
        int from = all.offset(i);
        found.add(all.ticks(i), all.lsb(i), all.bytes(), from, from + all.length(i));
      }
    }
    return found.build();
  }
}
