package hourglass.query.scan;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.RowEntry;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The part of each row where no other row of its type has columns. Elsewhere a retry may have put
 * an event into two rows, and only a merge knows which payload wins.
 *
 * <pre>
 *   row 0   |--------------|            0 to 2
 *   row 1            2---------5        after row 0 to before row 2
 *   row 2                     4----9    after row 1 to 9
 * </pre>
 */
final class UnsharedRanges {
  private UnsharedRanges() {}

  /** Rows of one hour; a range may be empty. */
  static Map<RowKey, ColumnRange> of(List<RowEntry> rows) {
    List<RowEntry> sorted =
        rows.stream()
            .sorted(
                Comparator.comparing((RowEntry row) -> row.row().type())
                    .thenComparing(RowEntry::first))
            .toList();
    Map<RowKey, ColumnRange> ranges = new HashMap<>();
    TimeUuid reached = TimeUuid.first(0);
    for (int i = 0; i < sorted.size(); i++) {
      RowEntry row = sorted.get(i);
      boolean isFirst = i == 0 || !isOfOneType(sorted.get(i - 1), row);
      boolean isLast = i + 1 == sorted.size() || !isOfOneType(row, sorted.get(i + 1));
      ColumnRange range = listed(row);
      range = isFirst ? range : range.intersect(new ColumnRange(reached, range.to()));
      range =
          isLast
              ? range
              : range.intersect(new ColumnRange(range.from(), sorted.get(i + 1).first()));
      ranges.put(row.row(), range);
      TimeUuid end = row.last().successor();
      reached = isFirst || end.compareTo(reached) > 0 ? end : reached;
    }
    return ranges;
  }

  private static boolean isOfOneType(RowEntry a, RowEntry b) {
    return a.row().type().equals(b.row().type());
  }

  /** From the first to the last column that the directory knows of. */
  static ColumnRange listed(RowEntry row) {
    return new ColumnRange(row.first(), row.last().successor());
  }
}
