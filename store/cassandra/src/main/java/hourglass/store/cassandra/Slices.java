package hourglass.store.cassandra;

import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import hourglass.store.Order;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Joins the slices that one question got from several tables. */
final class Slices {
  private Slices() {}

  /** The part that all of them cover, at most as long as asked for. */
  static Slice merge(SliceQuery query, List<Slice> slices) {
    if (slices.size() == 1) {
      return slices.get(0);
    }
    boolean ascending = query.order() == Order.ASCENDING;
    TimeUuid edge = edge(slices, ascending);
    Columns all = Columns.merge(slices.stream().map(Slice::columns).toList());
    Columns covered = edge == null ? all : upTo(all, edge, ascending);
    int size = Math.min(covered.size(), query.columnsMax());
    Columns near =
        ascending
            ? covered.subColumns(0, size)
            : covered.subColumns(covered.size() - size, covered.size());
    return new Slice(near, edge != null || size < all.size());
  }

  /** The nearest end of a slice that did not reach the end of the range; null if all did. */
  private static @Nullable TimeUuid edge(List<Slice> slices, boolean ascending) {
    TimeUuid edge = null;
    for (Slice slice : slices) {
      if (slice.more()) {
        TimeUuid end = ascending ? slice.columns().last() : slice.columns().first();
        if (edge == null || (ascending ? end.compareTo(edge) < 0 : end.compareTo(edge) > 0)) {
          edge = end;
        }
      }
    }
    return edge;
  }

  private static Columns upTo(Columns all, TimeUuid edge, boolean ascending) {
    return ascending
        ? all.subColumns(0, all.lowerBound(edge.successor()))
        : all.subColumns(all.lowerBound(edge), all.size());
  }
}
